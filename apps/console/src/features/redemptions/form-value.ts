import { type Redemption, UNLIMITED_USES } from '@tollgate/contract/redemption'
import dayjs, { type Dayjs } from 'dayjs'

/** What the form holds; quota in units, times as the pickers want them. */
export interface CodeFormValue {
  readonly name: string
  readonly quota: number
  /** Only when creating. */
  readonly count: number
  /** Only when creating; empty: codes of ours. */
  readonly key: string
  readonly isGift: boolean
  readonly maxUses: number
  readonly validFrom?: Dayjs | undefined
  readonly validUntil?: Dayjs | undefined
}

export const newCodeValue: CodeFormValue = {
  name: '',
  quota: 100_000,
  count: 1,
  key: '',
  isGift: false,
  maxUses: UNLIMITED_USES,
}

export function formValueOf(code: Redemption): CodeFormValue {
  return {
    name: code.name,
    quota: code.quota,
    count: 1,
    key: code.key,
    isGift: code.is_gift,
    maxUses: code.max_uses,
    validFrom: pickedTime(code.valid_from),
    validUntil: pickedTime(code.valid_until),
  }
}

/** The body of a create call. A name left blank is the amount. */
export function createBodyOf(value: CodeFormValue, amountText: string) {
  const key = value.key.trim()
  return {
    name: value.name.trim() === '' ? amountText : value.name.trim(),
    quota: value.quota,
    ...(key === '' ? { count: value.count } : { key }),
    is_gift: value.isGift,
    ...(value.isGift && { max_uses: value.maxUses }),
    ...datesOf(value),
  }
}

/** The body of an update: it names the version that the form loaded. */
export function updateBodyOf({ id, version }: Redemption, value: CodeFormValue) {
  return { id, version, name: value.name.trim(), quota: value.quota, ...datesOf(value) }
}

/** Both picked, and the wrong way round. A text that is no date is an error of its own field. */
export function areDatesReversed({ validFrom, validUntil }: Partial<CodeFormValue>): boolean {
  if (validFrom?.isValid() !== true || validUntil?.isValid() !== true) return false
  return !validFrom.isBefore(validUntil)
}

function datesOf({ validFrom, validUntil }: CodeFormValue) {
  return { valid_from: validFrom?.unix() ?? 0, valid_until: validUntil?.unix() ?? 0 }
}

function pickedTime(seconds: number): Dayjs | undefined {
  return seconds === 0 ? undefined : dayjs.unix(seconds)
}
