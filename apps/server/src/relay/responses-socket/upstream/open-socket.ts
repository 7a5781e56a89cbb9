import type { Egress } from '@tollgate/egress/egress'
import type { WebSocket } from 'ws'
import type { SocketTarget } from './upstream-socket.ts'

export type OpenSocket = (target: SocketTarget) => WebSocket

/** Opens sockets with the address checks and proxies of all other traffic. */
export function socketOpener(egress: Pick<Egress, 'socket'>, messageBytesMax: number): OpenSocket {
  return ({ url, headers, proxy }) => egress.socket({ url, headers, proxy, messageBytesMax })
}

/** Headers that belong to a request with a body; a handshake has none. */
const OF_BODIES = new Set(['content-type', 'content-length', 'accept', 'accept-encoding'])
const BETA = 'openai-beta'

export function handshakeHeaders(
  headers: Readonly<Record<string, unknown>>,
  socketBeta: string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !OF_BODIES.has(name))
  const sent = Object.fromEntries(kept)
  const betas = sent[BETA]
  return { ...sent, [BETA]: betas === undefined ? socketBeta : `${betas}, ${socketBeta}` }
}
