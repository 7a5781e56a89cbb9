import { createHash, createHmac } from 'node:crypto'

/** Data as the Telegram widget sends it, signed with the algorithm that Telegram documents. */
export function signedByTelegram(
  fields: Readonly<Record<string, string>>,
  botToken: string,
): Record<string, string> & { hash: string } {
  const checkString = Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join('\n')
  const secretKey = createHash('sha256').update(botToken).digest()
  return { ...fields, hash: createHmac('sha256', secretKey).update(checkString).digest('hex') }
}
