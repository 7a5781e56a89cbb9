import * as fc from 'fast-check'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import type { JournalLine } from './line.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\u001E', '\ud800', 'a\udc00b', '\ufeff{}', '"\\', '1\u001E2', '余额'),
)
const amount = fc.oneof(fc.bigInt(), fc.constantFrom(0n, -1n, 2n ** 53n, -(2n ** 53n), 2n ** 64n, 10n ** 40n))
const number = fc.integer()
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined })

const logColumn: Record<string, fc.Arbitrary<unknown>> = {
  request_id: fc.option(text),
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  group_name: text,
  ip: text,
  other: text,
  quota: amount,
  cost: fc.option(amount),
  session: fc.option(text),
  client: fc.option(text),
  client_version: fc.option(text),
  cached_tokens: fc.option(number),
  cache_saved: fc.option(amount),
  upstream_request_id: fc.option(text),
}

/** Columns that are not named above are numbers. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record has every column
const log = fc.record(
  Object.fromEntries(LOG_COLUMNS.map((column) => [column, logColumn[column] ?? number])),
) as unknown as fc.Arbitrary<UsageLogRow>

const accounts = {
  holdId: text,
  userAccount: number,
  tokenAccount: optional(number),
  isTokenFollowed: fc.boolean(),
  budgetSinceMs: optional(fc.maxSafeNat()),
}

/** Any line, for properties. */
export const anyLine: fc.Arbitrary<JournalLine> = fc.oneof(
  fc.record({
    type: fc.constant('opened' as const),
    ...accounts,
    amount,
    ceiling: amount,
    priceJson: text,
    furtherPrices: optional(fc.array(text, { minLength: 1, maxLength: 7 })),
    createdMs: fc.maxSafeNat(),
  }),
  fc.record({
    type: fc.constant('checkpoint' as const),
    holdId: text,
    amount,
    held: amount,
    ceiling: amount,
    channelId: optional(number),
  }),
  fc.record({
    type: fc.constant('settled' as const),
    ...accounts,
    charged: amount,
    waived: amount,
    ceiling: amount,
    flags: fc.subarray(['estimated', 'partial', 'client_gone', 'cut', 'waived'] as const),
    channelId: optional(number),
    priceJson: text,
    usageJson: text,
    endedMs: fc.maxSafeNat(),
    log: optional(log),
    partPrices: optional(fc.array(text, { minLength: 1, maxLength: 7 })),
  }),
  fc.record({
    type: fc.constant('released' as const),
    holdId: text,
    endedMs: fc.maxSafeNat(),
    log: optional(log),
  }),
)
