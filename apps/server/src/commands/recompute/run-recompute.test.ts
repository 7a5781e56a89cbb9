import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { priceToJson, recompute } from '@tollgate/billing/recompute'
import { noUsage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { openStore, type Store } from '@tollgate/store/database/open-store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { printRecompute } from './print-recompute.ts'
import { runRecompute } from './run-recompute.ts'

const usageJson = JSON.stringify({ ...noUsage, inputText: 1000, outputText: 77 })

let directory: string
let sqlitePath: string
let store: Store

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-recompute-'))
  sqlitePath = join(directory, 'tollgate.db')
  store = await openStore({ sqlitePath })
  const account = { id: 4, kind: 'user', owner_id: 1, granted: 0n, remaining: 0n, reserved: 0n } as const
  const rest = { used: 0n, debt: 0n, followed: 0n, unlimited: 0, version: 1 } as const
  await store.db
    .insertInto('account')
    .values({ ...account, ...rest })
    .execute()
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function priceJsonOf(version: number): string {
  const book = buildPriceBook(parsePriceOptions(defaultPriceOptions), version)
  const price = book.find({ model: 'gpt-4o', group: 'default', acceptsUnpriced: false })
  invariant(price, 'the built-in prices know gpt-4o')
  return priceToJson(price)
}

async function publish(version: number): Promise<void> {
  const row = { version, content_hash: String(version), content: JSON.stringify(defaultPriceOptions) }
  await store.db
    .insertInto('price_books')
    .values({ ...row, created_ms: 1 })
    .execute()
}

async function charge(
  call: string,
  version: number,
  units: bigint,
  kind: 'consume' | 'correction' = 'consume',
) {
  const row = { op_key: `${kind}:${call}`, kind, request_id: call, user_acct: 4, amount: units }
  const none = { task_id: null, token_acct: null, channel_id: null, balance_after: null, note: null }
  const price = { price_json: priceJsonOf(version), usage_json: usageJson }
  await store.db
    .insertInto('entry')
    .values({ ...row, ...none, ...price, flags: '', waived: 0n, created_ms: 5 })
    .execute()
}

const FULL = recompute(priceJsonOf(1), usageJson)

it('recomputes charges of more price versions than it caches, and corrections together with the charge they correct', async () => {
  for (let version = 1; version <= 10; version++) {
    await publish(version)
    await charge(`call-${version}`, version, FULL)
  }
  await charge('late', 1, FULL - 3n)
  await store.db.updateTable('entry').set({ usage_json: null }).where('request_id', '=', 'late').execute()
  await charge('late', 1, 3n, 'correction')
  await store.close()
  const result = await runRecompute({ sqlDsn: '', sqlitePath }, { sinceMs: 0 })
  expect(result).toMatchObject({ charges: 11, units: FULL * 10n + 3n, versions: 10, wrong: 0, findings: [] })
})

it('all findings are counted and the first twenty are listed', async () => {
  await publish(1)
  for (let call = 1; call <= 25; call++) await charge(`call-${call}`, 1, FULL + 1n)
  await charge('unkept', 9, FULL)
  await store.close()
  const result = await runRecompute({ sqlDsn: '', sqlitePath }, { sinceMs: 0 })
  expect([result.wrong, result.findings.length]).toEqual([26, 20])
  expect(printRecompute(result).slice(-2)).toEqual(['… and 6 more', '26 findings.'])
})

it('corrections of released calls that earlier releases stored without a usage are read', async () => {
  await publish(1)
  await charge('released', 1, 7n)
  await store.db.updateTable('entry').set({ usage_json: null }).execute()
  await charge('released', 1, -7n, 'correction')
  await charge('wrong', 1, 7n)
  await store.db.updateTable('entry').set({ usage_json: '' }).where('usage_json', 'is not', null).execute()
  await store.close()
  const result = await runRecompute({ sqlDsn: '', sqlitePath }, { sinceMs: 0 })
  expect(result.findings).toEqual(['consume:wrong says 7, its usage costs 0'])
})
