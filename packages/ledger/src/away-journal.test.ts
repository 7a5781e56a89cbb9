import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lineOf } from './journal-line.ts'
import { openJournal } from './away-journal.ts'
import { beginningOf } from './process-identity.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const adopted = async (author: string): Promise<readonly string[]> => {
  const line = lineOf({ type: 'release', input: { holdId: 'call-1' } })
  writeFileSync(join(folder, `${author}-away.jsonl`), line)
  const journal = openJournal({
    folder,
    instanceId: 'next',
    onFailure: (error) => expect(error).toBe('none'),
  })
  const orphans = await journal.adopt()
  return orphans.flatMap(({ ends }) => ends.map(({ input }) => input.holdId))
}

const { ppid } = process
const began = beginningOf(ppid)

it('a journal of a running process is not adopted', async () => {
  const author = began === '' ? String(ppid) : `${ppid}.${began}`
  expect(await adopted(author)).toEqual([])
  expect(readdirSync(folder)).toEqual([`${author}-away.jsonl`])
})

it('a journal is adopted when another program now has its process id', async ({ skip }) => {
  skip(began === '', 'this system does not tell when a process began')
  expect(await adopted(`${ppid}.${Number(began) - 1}`)).toEqual(['call-1'])
  expect(readdirSync(folder)).toEqual([
    expect.stringMatching(new RegExp(`^${process.pid}\\..*-away\\.jsonl$`)),
  ])
})

it('a journal without a start time, from an earlier release, is judged by its process id alone', async () => {
  expect(await adopted(String(ppid))).toEqual([])
  // Larger than any process id in use.
  expect(await adopted('2000000000')).toEqual(['call-1'])
})

it('kept counts what is on disk, not what is still being written', async () => {
  const journal = openJournal({
    folder,
    instanceId: 'own',
    onFailure: (error) => expect(error).toBe('none'),
  })
  const command = {
    type: 'release',
    input: { holdId: 'call-1' },
    nowMs: 0,
    instanceId: 'own',
  } as const
  journal.keep([command])
  expect(journal.kept).toBe(0)
  await journal.flush()
  expect(journal.kept).toBe(1)
  journal.drop(command)
  await journal.flush()
  expect(journal.kept).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})
