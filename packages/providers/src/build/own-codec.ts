import type { UpstreamDialect } from '@tollgate/dialects/canonical/codec'
import type { Limit, Limits } from '@tollgate/dialects/canonical/feature'

/** How conversations are written in a format that one vendor alone has, and answers in it are read. */
export type OwnCodec = Omit<UpstreamDialect, 'name'>

function refuse(because: string): Limit {
  return { does: 'refuse', because }
}

/** For formats that know texts and nothing else. */
export const textsOnly: Limits = {
  'several-choices': refuse('a call has one answer'),
  'logit-bias': refuse('there is no such member'),
  logprobs: refuse('they are not told'),
  json: refuse('answers have no format'),
  schema: refuse('answers have no format'),
  'audio-output': refuse('answers are text'),
  'image-output': refuse('answers are text'),
  image: refuse('messages are text'),
  audio: refuse('messages are text'),
  video: refuse('messages are text'),
  file: refuse('messages are text'),
  'result-media': refuse('messages are text'),
  prefill: refuse('the last message is the caller’s'),
  tools: refuse('there are no tools'),
  'custom-tools': refuse('there are no tools'),
  'web-search': refuse('there are no tools'),
  'web-fetch': refuse('there are no tools'),
  'code-execution': refuse('there are no tools'),
  'other-builtins': refuse('there are no tools'),
  'tool-choice': refuse('there are no tools'),
  'allowed-tools': refuse('there are no tools'),
}
