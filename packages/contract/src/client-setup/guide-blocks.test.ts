import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSetupBlocks } from './guide-blocks.ts'
import { clientSetups } from './index.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const guides = globSync(['docs/guides/agents/*.md', 'site/zh/**/*.md'], { cwd: ROOT })
  .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('<!-- setup: '))
  .sort()

it.each(guides)('the settings in %s are current (`UPDATE_DOCS=1` rewrites them)', (path) => {
  const file = join(ROOT, path)
  const page = readFileSync(file, 'utf8')
  const current = withSetupBlocks(page)
  if (process.env['UPDATE_DOCS']) writeFileSync(file, current)
  expect(readFileSync(file, 'utf8')).toBe(current)
})

it('every client has its settings in a guide', () => {
  const text = guides.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')
  expect(clientSetups.map(({ id }) => id).filter((id) => !text.includes(`<!-- setup: ${id} `))).toEqual([])
})
