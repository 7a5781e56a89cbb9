import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { childProgram } from '@tollgate/testkit/child-program'
import { openCipher } from '@tollgate/kit/cipher'
import { openNewStore } from '@tollgate/testkit/new-store'
import { describe, expect, it } from 'vitest'
import { decryptChannelSecrets, isEncryptedText } from '../src/channels/secrets.ts'
import { insertChannel } from '../src/channels/channels.ts'
import { encryptStoredChannels } from '../src/channels/encrypt-channels.ts'
import { type Store, openStore } from '../src/database/open-store.ts'
import { someChannel } from './support/rows.ts'
import { engines } from './support/stores.ts'

const cipher = openCipher(Buffer.alloc(32, 7))
const CANARY = 'canary-of-a-former-text'

const clearTexts = [
  { header_override: `{"X-Key":"${CANARY}-1"}`, param_override: '', setting: '' },
  { header_override: '', param_override: '', setting: `{"proxy":"http://u:${CANARY}-2@p.example:8080"}` },
  { header_override: 'not json', param_override: `{"api_key":"${CANARY}-3"}`, setting: '{}' },
  { header_override: '', param_override: '', setting: '' },
]

/** Channels as a version before schema 18 stored them. */
async function fill(db: Store['db']): Promise<void> {
  for (const texts of clearTexts) {
    const id = await insertChannel(db, { ...someChannel, name: 'old' }, () => ({ key_sealed: 'v1.k' }))
    await db.updateTable('channels').set(texts).where('id', '=', id).execute()
  }
}

const rowsOf = (db: Store['db']) =>
  db
    .selectFrom('channels')
    .select(['id', 'header_override', 'param_override', 'setting', 'version'])
    .orderBy('id')
    .execute()

async function expectEncrypted(db: Store['db']): Promise<void> {
  const rows = await rowsOf(db)
  expect(rows.map((row) => decryptChannelSecrets(row, cipher))).toEqual(clearTexts)
  expect(rows.map(({ version }) => version)).toEqual([1, 1, 1, 1])
  expect(JSON.stringify(rows)).not.toContain(CANARY)
  // If a text had been encrypted twice, it would still be encrypted after one decryption.
  for (const text of rows.flatMap((row) => Object.values(decryptChannelSecrets(row, cipher))))
    expect(isEncryptedText(text)).toBe(false)
}

describe.each(engines)('channels stored in clear on $name', ({ place: newPlace, server }) => {
  it('channels are encrypted once, even if the run is interrupted after any text', async () => {
    const place = await newPlace()
    try {
      const { db } = await place.open()
      await fill(db)
      for (let texts = 0; texts < 5; texts++) {
        let left = texts
        const failing = {
          encrypt: (text: string, context: string) => {
            if (left-- === 0) throw new Error('killed')
            return cipher.encrypt(text, context)
          },
        }
        await encryptStoredChannels(db, { cipher: failing }).catch((error: unknown) => {
          expect(String(error)).toContain('killed')
        })
      }
      await encryptStoredChannels(db, { cipher })
      await expectEncrypted(db)
      const before = await rowsOf(db)
      expect(await encryptStoredChannels(db, { cipher })).toEqual({ encrypted: 0, file: undefined })
      expect(await rowsOf(db)).toEqual(before)
    } finally {
      await place.remove()
    }
  })

  // A SQLite file is written by only one process.
  it.skipIf(server === undefined)('channels are encrypted once by two concurrent runs', async () => {
    const place = await newPlace()
    try {
      const { db } = await place.open()
      await fill(db)
      await Promise.all([encryptStoredChannels(db, { cipher }), encryptStoredChannels(db, { cipher })])
      await expectEncrypted(db)
    } finally {
      await place.remove()
    }
  })

  it('an edit that is saved during the encryption is kept', async () => {
    const place = await newPlace()
    try {
      const { db } = await place.open()
      await fill(db)
      const edited = '{"X-Key":"edited meanwhile"}'
      let edit: Promise<unknown> | undefined
      const slow = {
        encrypt: (text: string, context: string) => {
          edit ??= db.updateTable('channels').set({ header_override: edited }).where('id', '=', 1).execute()
          return cipher.encrypt(text, context)
        },
      }
      // The statement of the edit is sent before that of the encryption.
      await encryptStoredChannels(db, { cipher: slow })
      await edit
      await encryptStoredChannels(db, { cipher })
      const [first] = await rowsOf(db)
      expect(first && decryptChannelSecrets(first, cipher).header_override).toBe(edited)
    } finally {
      await place.remove()
    }
  })
})

/** Contents of all files in the folder of the database, including its log. */
function bytesOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name)).toString('latin1'))
    .join('')
}

function encryptUntilKilled(sqlitePath: string, statement: number): Promise<string> {
  const script = childProgram(new URL('support/encrypt-and-die.ts', import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, [script, sqlitePath, String(statement)], (error) =>
      resolve(error === null ? 'done' : (error.signal ?? error.message)),
    )
  })
}

/** Writes a file as a version before schema 18 left it, with former versions of a row in its unused parts. */
async function writeFormer(sqlitePath: string): Promise<void> {
  const { db, close } = await openStore({ sqlitePath })
  await fill(db)
  const setting = `{"proxy":"http://u:${CANARY}-9@p.example"}`
  await db.updateTable('channels').set({ setting }).where('id', '=', 4).execute()
  await db.updateTable('channels').set({ setting: '' }).where('id', '=', 4).execute()
  await close()
}

async function finish(folder: string): Promise<void> {
  const sqlitePath = join(folder, 'test.db')
  const store = await openStore({ sqlitePath })
  await encryptStoredChannels(store.db, { cipher, path: sqlitePath })
  await expectEncrypted(store.db)
  expect(bytesOf(folder)).not.toContain(CANARY)
  await store.close()
  expect(bytesOf(folder)).not.toContain(CANARY)
}

/** The short form kills before every second statement. */
const STRIDE = process.env['TOLLGATE_FAULTS'] === 'long' ? 1 : 2

it('a run killed before any statement loses nothing, and after the next run no clear text is left in the file', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'tollgate-encrypt-'))
  const former = join(parent, 'former.db')
  let kills = 0
  try {
    await writeFormer(former)
    expect(bytesOf(parent)).toContain(CANARY)
    for (let statement = 1, end = 'SIGKILL'; end === 'SIGKILL'; statement += STRIDE) {
      const folder = mkdtempSync(join(parent, 'killed-'))
      const sqlitePath = join(folder, 'test.db')
      copyFileSync(former, sqlitePath)
      end = await encryptUntilKilled(sqlitePath, statement)
      if (end === 'SIGKILL') kills++
      else expect(end).toBe('done')
      await finish(folder)
    }
    expect(kills).toBeGreaterThanOrEqual(12 / STRIDE)
  } finally {
    rmSync(parent, { recursive: true })
  }
}, 120_000)

it('a database without clear texts is not changed', async () => {
  const store = await openNewStore({ sqlitePath: ':memory:' })
  expect(await encryptStoredChannels(store.db, { cipher })).toEqual({ encrypted: 0, file: undefined })
  await store.close()
})
