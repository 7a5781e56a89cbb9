import { expect, it } from 'vitest'
import { overview, verbs } from './verbs.ts'

it.each(Object.entries(verbs))('%s has a help text that begins with its usage', async (name, { load }) => {
  const { help } = (await load()).command
  expect(help).toMatch(new RegExp(`^tollgate \\[?${name}\\b`))
  expect(help).toContain('Exit codes: 0 ')
  expect(overview()).toContain(`  ${name} `)
})
