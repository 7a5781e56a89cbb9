import { readFileSync, writeFileSync } from 'node:fs'
import { foldName } from '@tollgate/kit/fold-name'
import { expect, it } from 'vitest'
import { writeMembersPage, listKeptNames } from './reference.ts'
import { requestObjects } from './request-objects.ts'

const PAGE = new URL('../../../../docs/reference/members.md', import.meta.url)

it('docs/reference/members.md matches the tables (`UPDATE_DOCS=1` rewrites it)', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, writeMembersPage())
  expect(readFileSync(PAGE, 'utf8')).toBe(writeMembersPage())
})

it('every row has a source with an address and a date', () => {
  const rows = Object.values(requestObjects).flat()
  for (const { name, source } of rows) {
    expect(source.url, name).toMatch(/^(?:https:\/\/[\w.-]+\/|docs\/)/)
    expect(source.date, name).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

it('an object knows each name once, whatever its spelling, and the objects inside it exist', () => {
  for (const [object, rows] of Object.entries(requestObjects)) {
    const keys = rows.flatMap(({ name }) => [...new Set(name.split('|').map(foldName))])
    expect(new Set(keys).size, object).toBe(keys.length)
    for (const { inside = object } of rows) expect(requestObjects, object).toHaveProperty([inside])
  }
})

it('the resolved table of a provider has the names that its vendor reports', () => {
  expect(listKeptNames('openrouter')).toContain('chat.models')
  expect(listKeptNames('anthropic')).toEqual(expect.arrayContaining(['messages.fallbacks', 'tool.model']))
  expect(listKeptNames('deepseek')).toEqual([])
})
