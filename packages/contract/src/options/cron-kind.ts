import { z } from 'zod'
import { type About, define, type OptionDefinition } from './definition.ts'

/** Smallest and largest number of minute, hour, day of the month, month and day of the week. */
const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

const ITEM = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/([1-9]\d?))?$/

/** A cron pattern of five fields with numbers, `*`, ranges, lists and steps; empty means "never". */
export function cronPattern(about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: '',
    about,
    allowed: {
      en: 'five fields: minute, hour, day, month and day of the week, such as 30 3 * * *; or nothing',
      zh: '五个字段：分、时、日、月、星期，例如 30 3 * * *；或留空',
    },
    schema: z
      .string()
      .max(128)
      .transform((text) => text.trim().split(/\s+/).join(' '))
      .refine((text) => text === '' || isCronPattern(text)),
    print: String,
  })
}

function isCronPattern(text: string): boolean {
  const fields = text.split(' ')
  return fields.length === FIELDS.length && fields.every((field, index) => isField(field, FIELDS[index]))
}

function isField(field: string, range: (typeof FIELDS)[number] | undefined): boolean {
  const [min, max] = range ?? [0, 0]
  return field.split(',').every((item) => {
    const found = ITEM.exec(item)
    if (!found) return false
    const [from, to] = [found[1] ?? String(min), found[2] ?? found[1] ?? String(max)].map(Number)
    return from !== undefined && to !== undefined && min <= from && from <= to && to <= max
  })
}
