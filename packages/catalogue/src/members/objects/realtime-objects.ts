import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'
import { commonMembers, namingMembers, routingMembers } from './common-members.ts'

const settings: readonly MemberRow[] = composeRows(
  [
    defineRow('model', 'routes', source.OPENAI_REALTIME),
    defineRow('tools', 'reaches', source.OPENAI_REALTIME, { inside: 'tool' }),
    defineRow('prompt', 'reaches', source.OPENAI_REALTIME),
    defineRow('audio', 'priced', source.OPENAI_REALTIME, { inside: 'realtime-audio' }),
    defineRow('input_audio_transcription', 'priced', source.OPENAI_REALTIME, { inside: 'transcription' }),
    defineRow('instructions', 'content', source.OPENAI_REALTIME),
    ...defineRows('limit', source.OPENAI_REALTIME, 'max_response_output_tokens max_output_tokens'),
    ...defineRows('priced', source.OPENAI_REALTIME, 'modalities output_modalities'),
    defineRow('input', 'content', source.OPENAI_REALTIME, { inside: 'item' }),
    defineRow('conversation', 'content', source.OPENAI_REALTIME),
  ],
  defineRows(
    'plain',
    source.OPENAI_REALTIME,
    `type id object voice input_audio_format output_audio_format turn_detection input_audio_noise_reduction
     tool_choice temperature tracing include truncation speed client_secret expires_at metadata reasoning
     parallel_tool_calls user safety_identifier`,
  ),
  defineRows('plain', source.QWEN_CHAT, 'translation smooth_output enable_search beta_fields'),
  namingMembers.map(({ name, source: document }) => defineRow(name, 'routes', document)),
  routingMembers,
)

/** Frames of realtime sessions. */
export const realtimeObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  /** The request that opens a session; it has no body. */
  realtime: composeRows(commonMembers, routingMembers),
  'realtime-frame': composeRows(
    [
      defineRow('type', 'content', source.OPENAI_REALTIME),
      defineRow('session', 'content', source.OPENAI_REALTIME, { inside: 'realtime-settings' }),
      defineRow('response', 'content', source.OPENAI_REALTIME, { inside: 'realtime-settings' }),
      defineRow('item', 'content', source.OPENAI_REALTIME, { inside: 'item' }),
      defineRow('audio', 'content', source.OPENAI_REALTIME),
      defineRow('model', 'routes', source.OPENAI_REALTIME),
    ],
    defineRows(
      'plain',
      source.OPENAI_REALTIME,
      `event_id previous_item_id item_id content_index audio_end_ms response_id text image input_audio metadata
       stream`,
    ),
    namingMembers.map(({ name, source: document }) => defineRow(name, 'routes', document)),
    routingMembers,
  ),
  'realtime-settings': settings,
  'realtime-audio': [
    defineRow('input', 'priced', source.OPENAI_REALTIME, { inside: 'realtime-input' }),
    ...defineRows('plain', source.OPENAI_REALTIME, 'output'),
  ],
  'realtime-input': [
    defineRow('transcription', 'priced', source.OPENAI_REALTIME, { inside: 'transcription' }),
    ...defineRows('plain', source.OPENAI_REALTIME, 'format noise_reduction turn_detection'),
  ],
  transcription: [
    defineRow('model', 'names', source.OPENAI_REALTIME, { reportedBy: ['openai', 'azure'], isRefused: true }),
    ...defineRows('plain', source.OPENAI_REALTIME, 'language prompt logprobs delay'),
  ],
}
