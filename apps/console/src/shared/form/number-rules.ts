import { checkRule } from './check-rule.ts'
import type { FormRule } from 'antd'
import { groupedInteger } from '../format/money.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'

interface Range {
  readonly min: number
  readonly max: number
}

interface NumberRules {
  /** An amount of quota: zero or a positive number. */
  readonly amount: FormRule
  readonly amountOrEmpty: FormRule
  /** Any number, or empty. */
  readonly signedOrEmpty: FormRule
  readonly whole: (range: Range) => FormRule
  readonly wholeOrEmpty: (range: Range) => FormRule
}

/** Form rules for `NumberInput`, with messages in the reader's language. */
export function useNumberRules(): NumberRules {
  const t = sharedMessages.use()
  const wholeText = ({ min, max }: Range) =>
    t('number.whole', { min: groupedInteger(min), max: groupedInteger(max) })
  return {
    amount: rule((value) => value !== undefined && value >= 0, t('number.amount')),
    amountOrEmpty: rule((value) => value === undefined || value >= 0, t('number.amount')),
    signedOrEmpty: rule((value) => !Number.isNaN(value), t('number.signed')),
    whole: (range) => rule((value) => value !== undefined && isWhole(value, range), wholeText(range)),
    wholeOrEmpty: (range) => rule((value) => value === undefined || isWhole(value, range), wholeText(range)),
  }
}

function isWhole(value: number, { min, max }: Range): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}

function rule(isGood: (value: number | undefined) => boolean, message: string): FormRule {
  return checkRule((value) => isGood(typeof value === 'number' ? value : undefined), message)
}
