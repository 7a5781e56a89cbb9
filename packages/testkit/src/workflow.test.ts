import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVERS } from '../../../scripts/servers/list.mjs'

const GITHUB = join(import.meta.dirname, '..', '..', '..', '.github')
const workflows = readdirSync(join(GITHUB, 'workflows')).map((name) => ({
  name,
  text: readFileSync(join(GITHUB, 'workflows', name), 'utf8'),
}))
const lines = (text: string) => text.split('\n').map((line) => line.trim())

test('the CI workflow runs npm test with every server required', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.text ?? ''
  expect(lines(ci)).toContain('- run: npm test')
  expect(lines(ci)).toContain("TOLLGATE_REQUIRE_SERVERS: 'true'")
  for (const image of ['postgres:', 'mariadb:', 'mysql:', 'redis:']) expect(ci).toContain(image)
})

test('the start of a continuous run requires every server', () => {
  const text = readFileSync(join(GITHUB, '..', '.ci', 'run'), 'utf8')
  expect(lines(text)).toContain('export TOLLGATE_REQUIRE_SERVERS=1')
  expect(lines(text).at(-2)).toBe('npm test')
})

test('the CI workflow has each server of the list, as a service or as a package', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.text ?? ''
  for (const [name, { variable, usual }] of Object.entries(SERVERS)) {
    const isService = variable !== undefined && ci.includes(`ports: ['${new URL(usual ?? '').port}:`)
    expect(isService || ci.includes(` ${name}-server`), name).toBe(true)
  }
})

test('each workflow may only read the repository', () => {
  for (const { name, text } of workflows) {
    expect(text, name).toContain('\npermissions:\n  contents: read\n')
    expect(text, name).not.toMatch(/: write\b|write-all|pull_request_target/)
  }
})

test('each action is pinned by its full commit, with the version in a comment', () => {
  const uses = workflows.flatMap(({ text }) => lines(text).filter((line) => /^(?:- )?uses:/.test(line)))
  expect(uses.length).toBeGreaterThan(0)
  for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('the workflow starts on the oldest Node version that README names', () => {
  const readme = readFileSync(join(GITHUB, '..', 'README.md'), 'utf8')
  const [, oldest = ''] = /Node (\d+) or newer/.exec(readme) ?? []
  expect(workflows.map(({ text }) => text).join('')).toContain(`node: ${oldest},`)
})
