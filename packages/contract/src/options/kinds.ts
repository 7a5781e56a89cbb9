import { z } from 'zod'

export type Words = Readonly<Record<'en' | 'zh', string>>

export type OptionKind =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'choice'
  | 'text'
  | 'secret'
  | 'list'
  | 'lines'
  | 'json'

/**
 * What the lines of a JSON setting are made of. `numbers`, `texts`: an object of names to these; `nested-numbers`: of names to
 * such objects; `nested-lists`: of names to names to lists of texts; `names`: a list of texts; `labelled-texts`: a list of
 * objects with one text each; `tiers`: a list of what long calls cost; `context-tiers`: of names to such lists.
 */
export type RowShape =
  | 'numbers'
  | 'texts'
  | 'nested-numbers'
  | 'nested-lists'
  | 'names'
  | 'labelled-texts'
  | 'tiers'
  | 'context-tiers'

/** How a JSON setting is a table: one line for each thing it names. */
export interface OptionRows {
  readonly shape: RowShape
  /** What the cells of a line are called, in their order. */
  readonly columns: readonly Words[]
}

export type OptionSection =
  | 'site'
  | 'login'
  | 'mail'
  | 'payment'
  | 'quota'
  | 'pricing'
  | 'monitoring'
  | 'filter'
  | 'drawing'
  | 'relay'
  | 'claude'
  | 'gemini'

/** One site setting. On the wire and in the table its value is text; `schema` turns the text into the typed value. */
export interface OptionDefinition<Value = unknown> {
  readonly kind: OptionKind
  readonly section: OptionSection
  /** Text form of the default. `undefined`: a built-in price table, which the server brings. */
  readonly default: string | undefined
  readonly isSecret: boolean
  readonly help: Words
  /** What is accepted, to complete "accepts …". */
  readonly allowed: Words
  readonly schema: z.ZodType<Value, string>
  /** The normal text form of a value: what is stored. */
  print(value: Value): string
  /** Keys that must not be empty before this switch can be turned on. */
  readonly needs: readonly string[]
  readonly choices: readonly string[]
  /** Of a JSON setting that can be edited line by line. */
  readonly rows?: OptionRows
}

/** What each definition says of itself: its section, then its help in both languages. */
export interface About {
  readonly section: OptionSection
  readonly en: string
  readonly zh: string
}

const TRUE_WORDS = new Set(['true', 'True', 'TRUE', 't', 'T', '1'])
const FALSE_WORDS = new Set(['false', 'False', 'FALSE', 'f', 'F', '0', ''])

export function toggle(
  value: boolean,
  about: About & { needs?: readonly string[] },
): OptionDefinition<boolean> {
  return define({
    kind: 'boolean',
    default: String(value),
    about,
    needs: about.needs ?? [],
    allowed: { en: 'true or false', zh: 'true 或 false' },
    schema: z
      .string()
      .refine((text) => TRUE_WORDS.has(text) || FALSE_WORDS.has(text))
      .transform((text) => TRUE_WORDS.has(text)),
    print: String,
  })
}

export function integer(
  value: number,
  bounds: { min: number; max: number },
  about: About,
): OptionDefinition<number> {
  return define({
    kind: 'integer',
    default: String(value),
    about,
    allowed: between('a whole number', '整数', bounds),
    schema: numberText(z.int().min(bounds.min).max(bounds.max)),
    print: String,
  })
}

export function decimal(
  value: number,
  bounds: { min: number; max: number },
  about: About,
): OptionDefinition<number> {
  return define({
    kind: 'number',
    default: String(value),
    about,
    allowed: between('a number', '数字', bounds),
    schema: numberText(z.number().min(bounds.min).max(bounds.max)),
    print: String,
  })
}

export function choice<const Value extends string>(
  values: readonly [Value, ...Value[]],
  about: About,
): OptionDefinition<Value> {
  const list = values.join(', ')
  return define({
    kind: 'choice',
    default: values[0],
    about,
    choices: values,
    allowed: { en: `one of ${list}`, zh: `以下之一：${list}` },
    schema: z.enum(values),
    print: String,
  })
}

export function text(value: string, charactersMax: number, about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: value,
    about,
    allowed: { en: `text of at most ${charactersMax} characters`, zh: `最多 ${charactersMax} 个字符的文本` },
    schema: z.string().max(charactersMax),
    print: String,
  })
}

/** An address to connect or link to: http or https, stored without a trailing slash; empty means "none". */
export function address(value: string, about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: value,
    about,
    allowed: {
      en: 'an http:// or https:// address, or nothing',
      zh: '以 http:// 或 https:// 开头的地址，或留空',
    },
    schema: z
      .string()
      .max(2048)
      .transform((text) => text.trim().replace(/\/+$/, ''))
      .refine(isWebAddress),
    print: String,
  })
}

const LINK_WORDS = {
  en: 'an http:// or https:// address, a path on this site that begins with /, or nothing',
  zh: '以 http:// 或 https:// 开头的地址、以 / 开头的站内路径，或留空',
}

/** An address that a page links to, stored as it is: on the web, or a path on this site. */
export function link(about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: '',
    about,
    allowed: LINK_WORDS,
    schema: z.string().trim().max(2048).refine(isLink),
    print: String,
  })
}

/** The address of a picture, or a small picture itself. */
export function picture(about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: '',
    about,
    allowed: {
      en: `${LINK_WORDS.en}; also data:image/ with PNG, JPEG, GIF or WebP in base64`,
      zh: `${LINK_WORDS.zh}；也可为 base64 编码的 PNG、JPEG、GIF 或 WebP 图片（data:image/）`,
    },
    schema: z
      .string()
      .trim()
      .max(2048)
      .refine((text) => isLink(text) || PICTURE.test(text)),
    print: String,
  })
}

/** Nothing that could hold a script. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=-]+$/i

function isLink(text: string): boolean {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) || isWebAddress(text)
}

/**
 * Whether a template may become a link: addresses of programs are welcome, schemes that run or show something in the page
 * are not. The scheme is the one that a browser finds, which skips control characters before and inside it.
 */
export function isLinkTemplate(template: string): boolean {
  return !RUNNING.has(URL.parse(template)?.protocol ?? '')
}

const RUNNING: ReadonlySet<string> = new Set(
  ['javascript', 'data', 'vbscript', 'blob', 'file', 'filesystem', 'about', 'view-source'].map(
    (name) => `${name}:`,
  ),
)

/** Encrypted at rest, never part of an answer. */
export function secret(about: About): OptionDefinition<string> {
  return define({
    kind: 'secret',
    default: '',
    about,
    allowed: { en: 'text of at most 4096 characters', zh: '最多 4096 个字符的文本' },
    schema: z.string().trim().max(4096),
    print: String,
  })
}

/** Parts between commas (`list`) or on lines of their own (`lines`), trimmed, without empty ones. */
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

interface Draft<Value> {
  readonly kind: OptionKind
  readonly default: string | undefined
  readonly about: About
  readonly allowed: Words
  readonly schema: z.ZodType<Value, string>
  print(value: Value): string
  readonly needs?: readonly string[]
  readonly choices?: readonly string[]
  readonly rows?: OptionRows
}

export function define<Value>(draft: Draft<Value>): OptionDefinition<Value> {
  const { about, ...rest } = draft
  return {
    needs: [],
    choices: [],
    ...rest,
    section: about.section,
    isSecret: draft.kind === 'secret',
    help: { en: about.en, zh: about.zh },
  }
}

/** A decimal literal; `Number('')` and `Number('0x10')` are numbers to JavaScript, not to an operator. */
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

function isWebAddress(text: string): boolean {
  if (text === '') return true
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

function splitParts(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
