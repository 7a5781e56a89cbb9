import { z } from 'zod'
import { type About, define, type OptionDefinition } from './definition.ts'

const ADDRESS_CHARACTERS_MAX = 2048
const typed = z.string().trim().max(ADDRESS_CHARACTERS_MAX)

type AddressParts = Omit<Parameters<typeof define<string>>[0], 'kind' | 'default' | 'print'> & {
  readonly default?: string
}

function addressText(parts: AddressParts): OptionDefinition<string> {
  return define({ kind: 'text', default: '', ...parts, print: String })
}

const ADDRESS_WORDS = {
  en: 'an http:// or https:// address, or nothing',
  zh: '以 http:// 或 https:// 开头的地址，或留空',
}

/** An address that is compared or requested exactly as typed, including a trailing slash. */
export function exactAddress(about: About): OptionDefinition<string> {
  return addressText({ about, allowed: ADDRESS_WORDS, schema: typed.refine(isWebAddress) })
}

/** An address to connect or link to: http or https, stored without a trailing slash; empty means "none". */
export function address(value: string, about: About): OptionDefinition<string> {
  return addressText({
    default: value,
    about,
    allowed: ADDRESS_WORDS,
    schema: z
      .string()
      .max(ADDRESS_CHARACTERS_MAX)
      .transform((text) => text.trim().replace(/\/+$/, ''))
      .refine(isWebAddress),
  })
}

/** The address of a NATS server, without a user. */
export function natsAddress(about: About): OptionDefinition<string> {
  return addressText({
    about,
    allowed: {
      en: 'nats://host:port, tls://host:port, or nothing',
      zh: 'nats://host:port、tls://host:port，或留空',
    },
    schema: typed.refine((text) => text === '' || NATS.test(text)),
  })
}

const NATS = /^(?:nats|tls):\/\/(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/

const LINK_WORDS = {
  en: 'an http:// or https:// address, a path on this site that begins with /, or nothing',
  zh: '以 http:// 或 https:// 开头的地址、以 / 开头的站内路径，或留空',
}

/** A link target, stored as it is: a web address or a path on this site. */
export function link(about: About): OptionDefinition<string> {
  return addressText({ about, allowed: LINK_WORDS, schema: typed.refine(isLink) })
}

/** The address of a picture, or a small picture as a data URL. */
export function picture(about: About): OptionDefinition<string> {
  return addressText({
    about,
    isPicture: true,
    allowed: {
      en: `${LINK_WORDS.en}; also data:image/ with PNG, JPEG, GIF or WebP in base64`,
      zh: `${LINK_WORDS.zh}；也可为 base64 编码的 PNG、JPEG、GIF 或 WebP 图片（data:image/）`,
    },
    schema: typed.refine((text) => isLink(text) || PICTURE.test(text)),
  })
}

/** Only image types that cannot contain scripts. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=-]+$/i

function isLink(text: string): boolean {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) || isWebAddress(text)
}

/**
 * Whether a template may be used as a link. Schemes of applications are allowed; schemes that run code or
 * show content in the page are not. The scheme is parsed as browsers do, which skip control characters before
 * and inside it.
 */
export function isLinkTemplate(template: string): boolean {
  return !RUNNING.has(URL.parse(template)?.protocol ?? '')
}

const RUNNING: ReadonlySet<string> = new Set(
  ['javascript', 'data', 'vbscript', 'blob', 'file', 'filesystem', 'about', 'view-source'].map(
    (name) => `${name}:`,
  ),
)

function isWebAddress(text: string): boolean {
  if (text === '') return true
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
