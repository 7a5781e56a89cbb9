import { isRecord, recordAt, type JsonObject } from '@tollgate/dialects/json'
import { keepFrameMembers, type CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/problems/problem'
import { chooseMemberPolicy } from '../../snapshots/member-policy.ts'
import { isTrusted } from '../../snapshots/trust.ts'
import { judgeNaming, type FrameInput } from './frame-models.ts'

/**
 * The frame as the upstream gets it: without the members that may not reach it. Throws a Problem for a frame that
 * is refused.
 */
export function allowFrame(sent: CallerFrame, input: FrameInput): CallerFrame {
  const { caller, settings } = input.held
  const { frame, names } = keepFrameMembers(sent, chooseMemberPolicy('realtime', caller.owner, settings))
  const allowed = names === undefined ? frame : judgeNaming(frame, names, input)
  refuseNotAllowed(allowed.event, input)
  return allowed
}

/**
 * Checks a frame of a realtime session. The channel must allow what the frame requests, as for any other
 * call, and an untrusted account may not use the upstream's tools, because a session has no limit for them.
 * Throws a Problem that names the member.
 */
function refuseNotAllowed(event: JsonObject, { held, route: { channel } }: FrameInput): void {
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
