import { type Client, createClient } from '../client.ts'

export interface OpenClientOptions {
  /** The gateway's address: `https://gateway.example.com`. */
  readonly address: string
  /** The user's access token, from the page “My account” of the console. */
  readonly accessToken: string
  /** Language of the messages of errors. */
  readonly language?: 'en' | 'zh'
  readonly fetch?: typeof fetch
}

/** A client of the admin API that acts as the user of an access token. */
export function openClient({ address, accessToken, language = 'en', fetch }: OpenClientOptions): Client {
  const headers = { authorization: `Bearer ${accessToken}`, 'accept-language': language }
  return createClient({
    baseUrl: address.replace(/\/+$/, ''),
    headers: () => headers,
    onUnauthorized: () => undefined,
    ...(fetch && { fetch }),
  })
}
