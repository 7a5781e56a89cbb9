import { isRecord, recordAt, type JsonObject } from '@tollgate/dialects/json'
import type { CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/problems/problem'
import { isTrusted } from '../../snapshots/trust.ts'
import type { Route } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'

/**
 * Checks a frame of a realtime session. The channel must allow what the frame requests, as for any other
 * call, and an untrusted account may not use the upstream's tools, because a session has no limit for them.
 * Throws a Problem that names the member.
 */
export function refuseNotAllowed(
  { event }: CallerFrame,
  { held, route: { channel } }: { readonly held: Held; readonly route: Pick<Route, 'channel'> },
): void {
  for (const asked of askedIn(event)) {
    const { serverTool, storedContext } = uncountedInput('responses', asked) ?? {}
    const refused =
      (channel.settings.allowsServerTools ? undefined : serverTool) ??
      (channel.settings.allowsStoredContext ? undefined : storedContext)
    if (refused !== undefined) throw problem('member_not_allowed', { param: refused, model: held.ask.model })
    const tool = serverTool ?? (storedContext?.startsWith('tools.') ? storedContext : undefined)
    if (tool !== undefined && !isTrusted(held.caller.owner, held.settings))
      throw problem('server_tool_unlimited', { param: tool })
  }
}

/**
 * The parts of an event that can contain requests: session settings, response settings and a conversation
 * item.
 */
function askedIn(event: JsonObject): readonly JsonObject[] {
  const { item } = event
  // `conversation` of a response says only whether earlier turns of this session are read, which needs no
  // permission.
  const { conversation: _which, ...response } = recordAt(event, 'response') ?? {}
  return [recordAt(event, 'session') ?? {}, response, isRecord(item) ? { input: [item] } : {}]
}
