/** A text with its secrets replaced. */
export interface Redacted {
  readonly text: string
  /** Number of replacements. */
  readonly found: number
}

/**
 * Replaces credentials and personal contact or payment data in a text before it is stored: keys and tokens of
 * the common formats, passwords that follow their name, e-mail addresses, and telephone, card and identity
 * numbers. Each is replaced with a mark such as `[key]`. Best effort, and biased towards redacting too much.
 * Runs in time linear in the length of the text.
 */
export function redact(text: string): Redacted {
  let found = 0
  const marked = (mark: string): string => {
    found++
    return mark
  }
  let left = text
  for (const pattern of KEYS) left = left.replace(pattern, () => marked('[key]'))
  left = left.replace(NAMED_SECRET, (_whole, name: string) => marked(`${name}[key]`))
  left = left.replace(IN_ADDRESS, (_whole, scheme: string) => marked(`${scheme}[key]@`))
  left = left.replace(E_MAIL, () => marked('[e-mail]'))
  left = left.replace(NUMBER, (number) => {
    const kind = kindOf(number)
    return kind === undefined ? number : marked(`[${kind}]`)
  })
  return { text: left, found }
}

const KEYS: readonly RegExp[] = [
  // A key that was truncated before its END line is redacted too.
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,32}PRIVATE KEY-----|$)/g,
  /(?<![A-Za-z0-9])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/g,
  /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|gh[a-z]_[A-Za-z0-9]{16,})/g,
  /(?<![A-Za-z0-9])(?:github_pat_|glpat-|xox[a-z]-|hf_|ya29\.|npm_|AGE-SECRET-KEY-)[A-Za-z0-9_.-]{10,}/g,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,4}/g,
  /\b(?:Bearer|Basic)\s{1,4}[A-Za-z0-9._~+/=-]{8,}/gi,
]

const NAMED_SECRET =
  /((?:\b(?:[a-z]{1,16}_)?(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)|密码|密钥)["']?\s{0,3}[:=：]\s{0,3}["']?)[^\s"',;[]{6,}/gi

/** Password in a URL: `https://name:password@host`. */
const IN_ADDRESS = /\b([a-z][a-z0-9+.-]{1,16}:\/\/)[^\s/@:]{0,128}:[^\s/@]{1,128}@/gi

const E_MAIL = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g

/** Numbers of seven or more digits, with the usual group separators. */
const NUMBER = /(?<!\w)\+?\(?\d(?:[ ().-]{0,2}\d){6,18}[Xx]?(?!\w)/g

const CHINESE_MOBILE = /^1[3-9]\d{9}$/
const GROUPED_PHONE = /^(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}$|^\(?0\d{2,3}\)?[ -]\d{7,8}$/
const IDENTITY_NUMBER = /^\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dXx]$/

function kindOf(number: string): 'card' | 'phone' | 'identity number' | undefined {
  const digits = number.replace(/[^\dXx]/g, '')
  if (IDENTITY_NUMBER.test(digits)) return 'identity number'
  if (digits.length >= 13 && isCardNumber(digits)) return 'card'
  if (number.startsWith('+') && digits.length >= 8 && digits.length <= 15) return 'phone'
  if (CHINESE_MOBILE.test(digits) || GROUPED_PHONE.test(number)) return 'phone'
  return undefined
}

/** Luhn check digit, which all card issuers use. */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    if (Number.isNaN(digit)) return false
    const doubled = index % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
