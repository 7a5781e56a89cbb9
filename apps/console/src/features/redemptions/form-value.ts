import { type Redemption, UNLIMITED_USES } from '@tollgate/contract/redemption'
import dayjs, { type Dayjs } from 'dayjs'

/** The form's value: quota in units, times in the format of the date pickers. */
export interface CodeFormValue {
  readonly name: string
  readonly quota: number
  /** Used only when creating codes. */
  readonly count: number
  /** Used only when creating codes; empty: the server generates the codes. */
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

/** The body of a create call. If the name is blank, the amount becomes the name. */
export function createBodyOf(value: CodeFormValue, amountText: string) {
  const key = value.key.trim()
  return {
    name: value.name.trim() === '' ? amountText : value.name.trim(),
    quota: value.quota,
    count: key === '' ? value.count : undefined,
    key: key || undefined,
    is_gift: value.isGift,
    max_uses: value.isGift ? value.maxUses : undefined,
    ...datesOf(value),
  }
}

/** The body of an update call, with the version that the form loaded. */
export function updateBodyOf({ id, version }: Redemption, value: CodeFormValue) {
  return { id, version, name: value.name.trim(), quota: value.quota, ...datesOf(value) }
}

/**
 * Whether both dates are set and in the wrong order. A text that is not a date is reported by its own field.
 */
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
