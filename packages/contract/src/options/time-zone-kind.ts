import { z } from 'zod'
import { type About, define, type OptionDefinition } from './definition.ts'

/** The name of a time zone in the IANA database, or nothing. */
export function defineTimeZone(about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: '',
    about,
    allowed: { en: 'a time zone such as Europe/Berlin', zh: '时区名称，例如 Asia/Shanghai' },
    schema: z.string().trim().max(64).refine(isTimeZone),
    print: String,
  })
}

/** Offsets such as `+02:00`, which `Intl` knows too, have no daylight saving time and are refused by `TZ`. */
function isTimeZone(name: string): boolean {
  if (name === '') return true
  try {
    return !/^[+-]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
