import { isRecord, recordAt, type JsonObject } from '@tollgate/dialects/json'
import type { CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/kit/problem'
import { isTrusted } from '../../snapshots/trust.ts'
import type { Route } from '../outcome.ts'
import type { Held } from '../hold/held.ts'

/**
 * A session asks in its frames: the channel that has it allows what it asks for, as for any other call, and an account that
 * has never paid gets no tools of the upstream, since a session has no limit for them. Throws the Problem of the member.
 */
export function refuseNotAllowed(
  { event }: CallerFrame,
  { held, route: { channel } }: { readonly held: Held; readonly route: Pick<Route, 'channel'> },
): void {
  for (const asked of askedIn(event)) {
    const { serverTool, storedContext } = uncountedInput('responses', asked) ?? {}
    const refused =
      (channel.allowsServerTools ? undefined : serverTool) ??
      (channel.allowsStoredContext ? undefined : storedContext)
    if (refused !== undefined) throw problem('member_not_allowed', { param: refused, model: held.ask.model })
    const tool = serverTool ?? (storedContext?.startsWith('tools.') ? storedContext : undefined)
    if (tool !== undefined && !isTrusted(held.caller.owner, held.settings))
      throw problem('server_tool_unlimited', { param: tool })
  }
}

/** What holds for the session, for one response, and what is said in it. */
function askedIn(event: JsonObject): readonly JsonObject[] {
  const { item } = event
  // Of a response it says whether what was said before is read, which the session has anyway.
  const { conversation: _which, ...response } = recordAt(event, 'response') ?? {}
  return [recordAt(event, 'session') ?? {}, response, isRecord(item) ? { input: [item] } : {}]
}
