import type { NodeLoadInput } from './node-load.ts'

type Writable = Pick<NodeLoadInput, 'address' | 'body' | 'keyMix'>

/** Returns the next request each time it is called: always the same, or that of the next user of the mix. */
export function requestWriter({ address, body, keyMix }: Writable, url: URL): () => Buffer {
  const bytes = (headers: Readonly<Record<string, string>>) => requestBytes(url, headers, body)
  if (keyMix === undefined) {
    const only = bytes(address.headers)
    return () => only
  }
  const requests = keyMix.keys.map((key) => bytes({ ...address.headers, authorization: `Bearer sk-${key}` }))
  const { draws } = keyMix
  let turn = -1
  return () => {
    turn = (turn + 1) % draws.length
    return requests[draws[turn] ?? 0] ?? Buffer.alloc(0)
  }
}

function requestBytes(url: URL, given: Readonly<Record<string, string>>, body: string): Buffer {
  const headers = { host: url.host, 'content-type': 'application/json', ...given }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`)
}
