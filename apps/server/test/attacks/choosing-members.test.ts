import type { MemberRow } from '@tollgate/catalogue/members/member-row'
import { requestObjects } from '@tollgate/catalogue/members/request-objects'
import { CheckedShape } from '@tollgate/dialects/checked/shape'
import { findShape } from '@tollgate/dialects/checked/shapes'
import { callerLimits } from '@tollgate/dialects/json-limits'
import { scanObject } from '@tollgate/dialects/json-scan'
import { choosingMembers } from '@tollgate/testkit/choosing-members'
import { afterAll, expect, test } from 'vitest'
import { oddSpellings } from './spellings.ts'

/**
 * Every member that chooses, in every spelling and place: nothing reaches an upstream that was not taken out,
 * refused, or noted as a name that the channels decide about.
 */

const bodies = {
  chat: 'chat',
  messages: 'messages',
  responses: 'responses',
  generate: 'generate',
  realtime: 'realtime-frame',
} as const

let count = 0
afterAll(() => {
  process.stdout.write(`${count} spellings of members that choose were tried\n`)
  expect(count).toBeGreaterThan(5_000)
})

type Verdict = 'taken' | 'noted' | 'refused' | 'passed'

function judge(shape: CheckedShape, json: string): Verdict {
  count++
  const { odd, findings } = scanObject(Buffer.from(json), callerLimits, shape)
  if (odd !== undefined) return 'refused'
  if (findings?.naming.length) return 'noted'
  return findings?.names.some(({ kind }) => kind !== 'unknown') === true ? 'taken' : 'passed'
}

/** The member at the end of a path, alternately in objects and lists. */
function bodyWith(path: readonly string[], name: string): string {
  return path.reduceRight(
    (inner, step, depth) => `{${JSON.stringify(step)}:${depth % 2 === 0 ? `[${inner}]` : inner}}`,
    `{${JSON.stringify(name)}:"dear"}`,
  )
}

test.each(choosingMembers)('$name in a body of $body is never passed on: $document', ({ name, body }) => {
  const path = name.split('.')
  const last = path.pop() ?? ''
  for (const spelling of [last, ...oddSpellings({ spellings: [last] })]) {
    const json = bodyWith(path, spelling)
    expect(judge(findShape(bodies[body]), json), json).not.toBe('passed')
  }
})

const choosing = ({ effect }: MemberRow) => effect === 'names' || effect === 'routes'
const rows = Object.entries(requestObjects).flatMap(([object, list]) =>
  list.filter(choosing).map((row) => ({ object, row, name: row.name })),
)
/** Around a member: nothing, a member that is merged into the body, and members that nobody knows. */
const PLACES = [[], ['of_tomorrow'], ['of_tomorrow', 'deeper', 'still']] as const

test('no row that chooses is passed on in any spelling or place', () => {
  for (const { object, row } of rows)
    for (const name of row.name.split('|'))
      for (const spelling of [name, ...oddSpellings({ spellings: [name] })]) {
        const here = bodyWith([], spelling)
        expect(judge(findShape(object), here), `${object}: ${here}`).not.toBe('passed')
      }
})

test('names that several bodies take out are taken out inside members that nobody knows too', () => {
  const everywhere = new Set(requestObjects['chat']?.filter(choosing).map(({ name }) => name))
  for (const name of everywhere)
    for (const place of PLACES.slice(1))
      for (const spelling of [name, ...oddSpellings({ spellings: [name] })]) {
        const json = bodyWith(place, spelling)
        expect(judge(findShape('chat'), json), json).not.toBe('passed')
      }
})

test('without its row a member is no longer taken out by that row', () => {
  const changed = rows.filter(({ object, row }) => {
    const others = (requestObjects[object] ?? []).filter((each) => each !== row)
    const [name = ''] = row.name.split('|')
    const json = bodyWith([], name)
    const kinds = (shape: CheckedShape) =>
      JSON.stringify(scanObject(Buffer.from(json), callerLimits, shape).findings)
    return kinds(new CheckedShape(others, { findShape })) !== kinds(findShape(object))
  })
  expect(changed).toHaveLength(rows.length)
})

test('the rows and what servers document are compared both ways', () => {
  const documented = new Set(choosingMembers.map(({ name }) => name.split('.').at(-1)))
  const known = new Set(rows.flatMap(({ name }) => name.split('|')))
  const withoutRule = [...known].filter((name) => !documented.has(name))
  const withoutRow = [...documented].filter((name) => name !== undefined && !known.has(name))
  process.stdout.write(`rows without a documented rule: ${withoutRule.join(' ')}\n`)
  process.stdout.write(`documented rules without a row: ${withoutRow.join(' ')}\n`)
  expect(withoutRow).toEqual([])
})
