import { priceHash } from '@tollgate/billing/price-hash'
import { recompute } from '@tollgate/billing/recompute'
import { invariant } from '@tollgate/kit/invariant'
import { readFirstPrice, readPrices } from '@tollgate/store/trade/charges'
import { sampleLog, samplePriceJson, sampleUsageJson, sampleCharge } from '@tollgate/testkit/sample-call'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { readWaived } from '../src/reads.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

const USER = accountId('user', 1)
const { 'in memory': _, ...databases } = testLedgers
const dearPriceJson = samplePriceJson.replace('0.075', '0.75')

/** Holds and entries name their price by its hash. Rows of earlier versions have the price themselves. */
describe.each(Object.entries(databases))('prices of the ledger %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  beforeAll(async () => {
    testLedger = await openTestLedger()
    await testLedger.ledger().credit({ key: 'gift:new:1', account: USER, amount: 10n ** 9n })
  })
  afterAll(async () => {
    expect((await testLedger.ledger().audit()).findings).toEqual([])
    await testLedger.close()
  })

  const database = () => {
    const store = testLedger.store()
    invariant(store, 'the ledger has a database')
    return store.db
  }
  const reserve = (holdId: string, priceJson = samplePriceJson) =>
    testLedger
      .ledger()
      .reserve({ holdId, userAccount: USER, amount: 900n, ceiling: 4_000n, priceJson, isShared: true })
  const settle = (holdId: string, amount = sampleCharge) =>
    testLedger.ledger().settle({
      holdId,
      amount,
      flags: [],
      channelId: 3,
      usageJson: sampleUsageJson,
      log: sampleLog(holdId),
    })
  const entryOf = (holdId: string) =>
    database()
      .selectFrom('entry')
      .select(['price_json', 'price_hash'])
      .where('op_key', '=', `consume:${holdId}`)
      .executeTakeFirst()

  it('a price is stored once for all calls that name it', async () => {
    for (const holdId of ['a', 'b', 'c']) {
      await reserve(holdId)
      await settle(holdId)
    }
    await reserve('d', dearPriceJson)
    await testLedger.ledger().release({ holdId: 'd' })
    await testLedger.ledger().caughtUp?.()
    const prices = await database().selectFrom('price').selectAll().execute()
    expect(prices.map(({ content }) => content).sort()).toEqual([samplePriceJson, dearPriceJson].sort())
    const hash = prices.find(({ content }) => content === samplePriceJson)?.hash
    for (const holdId of ['a', 'b', 'c'])
      expect(await entryOf(holdId)).toEqual({ price_json: null, price_hash: hash })
    expect(await readFirstPrice(database(), 'a')).toBe(samplePriceJson)
  })

  it('an open hold of an earlier version ends at its own price', async () => {
    await reserve('old')
    await database()
      .updateTable('hold')
      .set({ price_json: dearPriceJson, price_hash: null })
      .where('id', '=', 'old')
      .execute()
    await settle('old', recompute(dearPriceJson, sampleUsageJson))
    expect(await readFirstPrice(database(), 'old')).toBe(dearPriceJson)
  })

  it('a late settlement corrects the recovered entry of an earlier version at its own price', async () => {
    await reserve('late')
    await testLedger.crash()
    await database()
      .updateTable('entry')
      .set({ price_json: samplePriceJson, price_hash: null })
      .where('op_key', '=', 'consume:late')
      .execute()
    expect(await settle('late')).toMatchObject({ late: true, charged: sampleCharge })
    expect(await testLedger.logRow('late')).toMatchObject({ model_name: 'gpt-4o-mini' })
  })

  it.each([true, false])(
    'a call that further models helped is charged at all their prices (hold in the database: %s)',
    async (isShared) => {
      const holdId = `helped-${isShared}`
      const helperPriceJson = samplePriceJson.replace('0.075', isShared ? '3' : '5')
      const unusedPriceJson = samplePriceJson.replace('0.075', isShared ? '7' : '9')
      const usageJson = JSON.stringify({
        inputText: 1234,
        parts: [{ kind: 'advice', model: 'm', price: priceHash(helperPriceJson), outputText: 100 }],
      })
      const amount = recompute(samplePriceJson, usageJson, () => helperPriceJson)
      const furtherPrices = [helperPriceJson, unusedPriceJson]
      const asked = { holdId, userAccount: USER, amount: 900n, ceiling: 9_000n, priceJson: samplePriceJson }
      await testLedger.ledger().reserve({ ...asked, furtherPrices, isShared })
      const hold = await database().selectFrom('hold').selectAll().where('id', '=', holdId).executeTakeFirst()
      if (isShared) expect(hold?.further_prices).toBe(furtherPrices.map(priceHash).join(','))
      const settled = { holdId, amount, flags: [], channelId: 3, usageJson, partPrices: [helperPriceJson] }
      expect(await testLedger.ledger().settle(settled)).toMatchObject({ charged: amount, waived: 0n })
      await testLedger.ledger().caughtUp?.()
      expect(await readPrices(database(), [priceHash(helperPriceJson)])).toEqual(
        new Map([[priceHash(helperPriceJson), helperPriceJson]]),
      )
      expect((await testLedger.ledger().audit()).findings).toEqual([])
    },
  )

  it('a late settlement of a call that others helped corrects it to the sum', async () => {
    const helperPriceJson = samplePriceJson.replace('0.075', '2')
    const part = { kind: 'advice', price: priceHash(helperPriceJson), outputText: 100 }
    const usageJson = JSON.stringify({ inputText: 1234, parts: [part] })
    await reserve('late-helped')
    await testLedger.crash()
    const amount = recompute(samplePriceJson, usageJson, () => helperPriceJson)
    const settled = { holdId: 'late-helped', amount, flags: [], channelId: 3, usageJson }
    expect(await testLedger.ledger().settle({ ...settled, partPrices: [helperPriceJson] })).toMatchObject({
      late: true,
      charged: amount,
    })
  })

  it('an entry whose part names a price that is not kept is a finding', async () => {
    const usageJson = JSON.stringify({ inputText: 9, parts: [{ kind: 'advice', price: 'B'.repeat(22) }] })
    await reserve('unkept')
    await testLedger.ledger().settle({ holdId: 'unkept', amount: 1n, flags: [], channelId: 3, usageJson })
    await testLedger.ledger().caughtUp?.()
    const { findings } = await testLedger.ledger().audit()
    expect(findings.map(({ rule, detail }) => [rule, detail])).toEqual([
      ['I9', expect.stringContaining('is not kept')],
    ])
    await database()
      .updateTable('entry')
      .set({ usage_json: JSON.stringify({ inputText: 9 }) })
      .where('op_key', '=', 'consume:unkept')
      .execute()
  })

  it('what was waived is summed by the model of the price', async () => {
    await reserve('dear', dearPriceJson)
    await testLedger
      .ledger()
      .settle({ holdId: 'dear', amount: 5_000n, flags: [], channelId: 3, usageJson: '' })
    await testLedger.ledger().rollUp()
    const waived = await readWaived(database(), { fromMs: 0, untilMs: testLedger.clock.nowMs() + 1 })
    expect(waived).toContainEqual({ channelId: 3, model: 'gpt-4o-mini', calls: 1, units: 1_000n })
  })
})
