/** Maximum characters of upstream text shown to a caller. */
const TEXT_MAX = 2000

const ADDRESS = '[address]'
const KEY = '[key]'

/** Applied in this order. All patterns run in linear time and are constants. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https?|wss?|ftp|tcp|udp|grpc|socks5h?|redis|mysql|postgres(?:ql)?):\/\/[^\s"'<>]+/gi, ADDRESS],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/*=-]{8,}/gi, `$1 ${KEY}`],
  [/\b(?:sk|pk|rk|xai|gsk|r8|hf|jina|fastgpt)[-_][A-Za-z0-9_*.-]{6,}/g, KEY],
  [/\bAIza[A-Za-z0-9_*-]{10,}/g, KEY],
  [/\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+){0,2}/g, KEY],
  [/\b[A-Za-z0-9]{32,}\b/g, KEY],
  [
    /\b((?:dial|lookup|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH)\s+(?:tcp\s+|udp\s+)?)[^\s,]+/g,
    `$1${ADDRESS}`,
  ],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\d)/g, ADDRESS],
  [/(?<![\w:])\[?(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\]?(?::\d{1,5})?(?![\w:])/gi, ADDRESS],
  [
    /(?<![\w:])\[?(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?\]?(?::\d{1,5})?(?![\w:])/gi,
    ADDRESS,
  ],
  [/\blocalhost(?::\d{1,5})?\b/gi, ADDRESS],
  [
    /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|cn|dev|app|cloud|xyz|me|top|co|us|uk|de|jp|eu|info|site|tech|internal|local|lan|svc|corp|intranet)\b(?::\d{1,5})?(?:\/[^\s"'<>]*)?/gi,
    ADDRESS,
  ],
]

/**
 * Removes addresses, host names and credentials from an upstream's message, so that it can be shown to a
 * caller.
 */
export function scrub(text: string): string {
  let clean = text.slice(0, TEXT_MAX)
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement)
  return clean
}
