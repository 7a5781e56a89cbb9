import { z } from 'zod'
import {
  type About,
  type ConfirmOff,
  define,
  type OptionDefinition,
  type Preview,
  type Words,
} from './definition.ts'

const TRUE_WORDS = new Set(['true', 'True', 'TRUE', 't', 'T', '1'])
const FALSE_WORDS = new Set(['false', 'False', 'FALSE', 'f', 'F', '0', ''])

interface AboutToggle extends About {
  readonly needs?: readonly string[]
  readonly needsOneOf?: readonly (readonly string[])[]
  readonly confirmOff?: ConfirmOff
}

export function toggle(value: boolean, about: AboutToggle): OptionDefinition<boolean> {
  return define({
    kind: 'boolean',
    default: String(value),
    about,
    needs: about.needs ?? [],
    needsOneOf: about.needsOneOf ?? [],
    confirmOff: about.confirmOff,
    allowed: { en: 'true or false', zh: 'true 或 false' },
    schema: z
      .string()
      .refine((text) => TRUE_WORDS.has(text) || FALSE_WORDS.has(text))
      .transform((text) => TRUE_WORDS.has(text)),
    print: String,
  })
}

interface AboutNumber extends About {
  readonly min: number
  readonly max: number
}

export function integer(value: number, about: AboutNumber): OptionDefinition<number> {
  return define({
    kind: 'integer',
    default: String(value),
    about,
    allowed: between('a whole number', '整数', about),
    schema: numberText(z.int().min(about.min).max(about.max)),
    print: String,
  })
}

const QUOTA_MAX = 1_000_000_000_000

/** An amount of quota, which forms also show in currency. */
export function quota(value: number, about: About): OptionDefinition<number> {
  return { ...integer(value, { ...about, min: 0, max: QUOTA_MAX }), isQuota: true }
}

export function decimal(value: number, about: AboutNumber): OptionDefinition<number> {
  return define({
    kind: 'number',
    default: String(value),
    about,
    allowed: between('a number', '数字', about),
    schema: numberText(z.number().min(about.min).max(about.max)),
    print: String,
  })
}

export function choice<const Choices extends Readonly<Record<string, Words>>>(
  value: keyof Choices & string,
  about: About & { readonly choices: Choices },
): OptionDefinition<keyof Choices & string> {
  const values = Object.keys(about.choices)
  const list = values.join(', ')
  return define({
    kind: 'choice',
    default: value,
    about,
    choices: about.choices,
    allowed: { en: `one of ${list}`, zh: `以下之一：${list}` },
    schema: z.enum<(keyof Choices & string)[]>(values),
    print: String,
  })
}

interface AboutText extends About {
  /** If set, the field is a multi-line text of this height. */
  readonly lines?: number
  readonly preview?: Preview
}

export function text(value: string, charactersMax: number, about: AboutText): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: value,
    about,
    lines: about.lines,
    preview: about.preview,
    allowed: { en: `text of at most ${charactersMax} characters`, zh: `最多 ${charactersMax} 个字符的文本` },
    // A line has the blanks and line ends that came with copying; in a text of several lines they may mean something.
    schema: about.lines === undefined ? z.string().trim().max(charactersMax) : z.string().max(charactersMax),
    print: String,
  })
}

const PAGE_CHARACTERS_MAX = 200_000

/** Content of a page: Markdown, HTML or an address. */
export function page(lines: number, about: About): OptionDefinition<string> {
  return text('', PAGE_CHARACTERS_MAX, { ...about, lines, preview: 'page' })
}

interface AboutSecret extends About {
  /** Blanks at its ends are part of it, as in a password; only the line ends that come with copying are not. */
  readonly keepsBlanks?: boolean
}

/** Stored encrypted, never part of a response. */
export function secret(about: AboutSecret): OptionDefinition<string> {
  return define({
    kind: 'secret',
    default: '',
    about,
    allowed: { en: 'text of at most 4096 characters', zh: '最多 4096 个字符的文本' },
    schema: about.keepsBlanks
      ? z
          .string()
          .overwrite((value) => value.replace(/^[\r\n]+|[\r\n]+$/g, ''))
          .max(4096)
      : z.string().trim().max(4096),
    print: String,
  })
}

/** A list separated by commas (`list`) or line breaks (`lines`), with trimmed, non-empty elements. */
export function parts(
  kind: 'list' | 'lines',
  values: readonly string[],
  about: About & { fold?: boolean; each?: RegExp },
): OptionDefinition<readonly string[]> {
  const separator = kind === 'list' ? ',' : '\n'
  const part = about.each ? z.string().max(512).regex(about.each) : z.string().max(512)
  return define({
    kind,
    default: values.join(separator),
    about,
    allowed:
      kind === 'list'
        ? { en: 'entries separated by commas', zh: '以逗号分隔的条目' }
        : { en: 'one entry per line', zh: '每行一个条目' },
    schema: z
      .string()
      .max(100_000)
      .transform((text) => splitParts(about.fold ? text.toLowerCase() : text, separator))
      .pipe(z.array(part).max(2000).readonly()),
    print: (values) => values.join(separator),
  })
}

/**
 * Accepts decimal literals only: `Number('')` and `Number('0x10')` are numbers in JavaScript, but not what an
 * operator means.
 */
function numberText(number: z.ZodType<number, number>): z.ZodType<number, string> {
  return z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?$/i)
    .transform(Number)
    .pipe(number)
}

function between(en: string, zh: string, { min, max }: { min: number; max: number }): Words {
  return { en: `${en} from ${min} to ${max}`, zh: `${min} 到 ${max} 之间的${zh}` }
}

function splitParts(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
