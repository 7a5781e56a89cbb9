import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant } from '@tollgate/kit/invariant'
import { answeringServers } from '@tollgate/testkit/databases'
import { programArgs } from '@tollgate/testkit/program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fitRows, makeRows } from './support/family-rows.ts'
import { makeSchema } from './support/family-schema.ts'
import { LITELLM_CONFIG, litellmSchema, litellmTables } from './support/litellm-rows.ts'
import { type SourceDatabase, sourceServers, sqliteSource } from './support/source-database.ts'

/**
 * The commands of the guides about moving, run as they are written. Only names that stand for something of the
 * reader, such as `/data/one-api.db`, are replaced.
 */

const GUIDES = join(import.meta.dirname, '../../../../docs/guides')
const VERBS = ['import', 'audit', 'backup'] as const
const COMMAND = new RegExp(
  `(?:[A-Z_]+=\\S+ )*npm run (?:-s )?(?:tollgate -- )?(?:${VERBS.join('|')})(?: -- [^\`\\n]*)?`,
  'g',
)

function readCommands(guide: string): readonly string[] {
  return readFileSync(join(GUIDES, guide), 'utf8').match(COMMAND) ?? []
}

interface CommandResult {
  readonly code: number | null
  readonly printed: string
}

/** In this folder, with no other environment than what the line says. */
async function runLine(folder: string, line: string): Promise<CommandResult> {
  const [before = '', after = ''] = line.split(/npm run (?:-s )?(?:tollgate -- )?/)
  const environment = Object.fromEntries(
    before
      .split(' ')
      .filter((part) => part.includes('='))
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
  const [verb = '', ...args] = after.split(' ').filter((part) => part !== '' && part !== '--')
  invariant(
    VERBS.some((known) => known === verb),
    `${verb} is a command`,
  )
  const child = spawn(process.execPath, programArgs(verb, ...args), {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...environment,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, printed }
}

let folder: string
const leaving: (() => unknown)[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-guides-'))
  leaving.push(() => rmSync(folder, { recursive: true }))
})
afterAll(async () => {
  while (leaving.length > 0) await leaving.pop()?.()
})

/** A folder in which an old system of the family has left its database. */
async function openFamilyFolder(name: string): Promise<{ home: string; source: SourceDatabase }> {
  const home = join(folder, name)
  mkdirSync(home)
  const schema = makeSchema('2026-09')
  const source = await sqliteSource({ schema, tables: fitRows(await makeRows('2026-09'), schema) })
  leaving.push(() => source.drop())
  copyFileSync(source.place, join(home, 'one-api.db'))
  return { home, source }
}

describe('the guides about moving', () => {
  it('name each command that is tested here', () => {
    expect(readCommands('move-over.md').length).toBeGreaterThanOrEqual(6)
    expect(readCommands('move-over-litellm.md').length).toBeGreaterThanOrEqual(3)
    expect(readCommands('several-gateways.md').length).toBeGreaterThanOrEqual(3)
  })

  it('bring a site of the family over', async () => {
    const { home } = await openFamilyFolder('family')
    mkdirSync(join(home, 'rehearsal'))
    mkdirSync(join(home, 'backups'))
    for (const written of readCommands('move-over.md')) {
      const line = written
        .replace('/data/one-api.db', 'one-api.db')
        .replace('/tmp/rehearsal', 'rehearsal')
        .replace('/backups/', 'backups/')
      expect([line, await runLine(home, line)]).toMatchObject([line, { code: 0 }])
    }
    expect(JSON.parse(readFileSync(join(home, 'import.json'), 'utf8'))).toMatchObject({})
    for (const path of ['data/tollgate.db', 'rehearsal/tollgate.db', 'backups/first.db'])
      expect([path, existsSync(join(home, path))]).toEqual([path, true])
    const { printed } = await runLine(home, 'npm run audit')
    expect(printed).toContain('The books balance')
  })

  it('bring a site of LiteLLM over, and a file of users', async () => {
    const home = join(folder, 'litellm')
    mkdirSync(home)
    const servers = await sourceServers()
    const make = servers.find(({ label }) => label === 'PostgreSQL')?.make ?? sqliteSource
    const source = await make({ schema: litellmSchema, tables: litellmTables })
    leaving.push(() => source.drop())
    writeFileSync(join(home, 'config.yaml'), LITELLM_CONFIG)
    const text = readFileSync(join(GUIDES, 'move-over-litellm.md'), 'utf8')
    const users = /^username,email[^`]*/m.exec(text)?.[0] ?? ''
    expect(users.split('\n').length).toBeGreaterThan(2)
    writeFileSync(join(home, 'users.csv'), users)
    const [dry, real, file] = readCommands('move-over-litellm.md')
    for (const [line = '', place] of [
      [dry, 'data'],
      [real, 'data'],
      [file, 'other'],
    ] as const) {
      // The file of users is for another site than that of LiteLLM.
      const own = `SQLITE_PATH=${place}/tollgate.db ${line.replace('postgres://litellm:password@host/litellm', source.place)}`
      const { code, printed } = await runLine(home, own)
      expect([own, code, printed]).toEqual([own, 0, printed])
      if (line !== dry) expect(printed).toContain('The books balance')
    }
    expect(existsSync(join(home, 'data/tollgate.db'))).toBe(true)
  })
})

describe.each(await answeringServers())('the guide about several gateways, with $label', (server) => {
  it('moves a site to a database server without secrets in the environment', async () => {
    const { home } = await openFamilyFolder(`gateway-${server.label}`)
    const { code } = await runLine(home, 'npm run import -- --from one-api.db')
    expect(code).toBe(0)
    expect(existsSync(join(home, 'data/secrets.json'))).toBe(true)
    const database = await server.createDatabase()
    leaving.push(() => database.drop())
    for (const written of readCommands('several-gateways.md')) {
      const asked = written.replace('postgres://tollgate:password@database:5432/tollgate', database.dsn)
      const line = asked.includes('SQL_DSN=') ? asked : `SQL_DSN=${database.dsn} ${asked}`
      const result = await runLine(home, line)
      expect([line, result]).toMatchObject([line, { code: 0 }])
      if (line.includes('import') && !line.includes('--dry-run'))
        expect(result.printed).toContain('The books balance, and are those of the source')
      if (line.includes('audit')) expect(result.printed).toContain('The books balance')
    }
  })
})
