import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directOperations, laterOperations } from './all.ts'

const all = [...directOperations, ...laterOperations]
const RELAY = join(import.meta.dirname, '..')

describe('the operations', () => {
  it('have a folder and a line in the index each', () => {
    const folders = globSync('*/operation.ts', { cwd: import.meta.dirname }).map(dirname)
    expect(all.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
  })

  it('have different paths', () => {
    const paths = directOperations.flatMap((operation) => operation.paths.map(({ path }) => path))
    expect(new Set(paths).size).toBe(paths.length)
  })
})

/** A comparison with a name, or a list of names in disguise. */
const COMPARISON =
  /operation(?:\.(?:name|wire))? [!=]== '|case '(?:chat|messages|responses)'|\bis(?:Conversation|ImageOperation|Transcript)\(|'(?:mj|suno)'|platform\b.*'video'|work\.type/

it.each(
  globSync('{stations,tasks,probe,realtime,transcript}/**/*.ts', { cwd: RELAY }).filter(
    (path) => !path.endsWith('.test.ts'),
  ),
)('%s does not ask for the name of an operation', (path) => {
  expect(readFileSync(join(RELAY, path), 'utf8')).not.toMatch(COMPARISON)
})
