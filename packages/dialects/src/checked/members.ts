import type { CallOperation } from '../conversations.ts'
import { shape, type CheckedShape, type CheckedSpec } from './shape.ts'
import { ANYWHERE, REACHING } from './shared-members.ts'
import { AUDIO, ITEM, MESSAGE, PART, TOOL } from './message-members.ts'
import { EMBED, GENERATE, gemini } from './gemini-members.ts'

/*
 * All judged members of a call; `task-members.ts` has those of task submissions. A member is judged if it
 * affects price, limits, routing, the word filter or the rejection of the request, or if its text is counted
 * as input. Each has one accepted spelling and may occur once. `null`: nothing inside is judged. That holds
 * for schemas and arguments of tools, for metadata of conversations and for texts, where callers may write
 * what they like.
 */

const STREAM_OPTIONS = shape({ include_usage: null })
const THINKING = shape({ type: null, budget_tokens: null })

/**
 * Members that limit the output of a conversation or set its kind, such as modalities, reasoning and response
 * format.
 */
const ANSWERING: CheckedSpec = {
  max_tokens: null,
  max_completion_tokens: null,
  max_output_tokens: null,
  n: null,
  modalities: null,
  audio: AUDIO,
  reasoning_effort: null,
  reasoning: shape({ effort: null, max_tokens: null, enabled: null, exclude: null, summary: null }),
  thinking: THINKING,
  enable_thinking: null,
  thinking_budget: null,
  response_format: null,
  stream_options: STREAM_OPTIONS,
}

const CHAT = shape({
  ...ANYWHERE,
  ...REACHING,
  tools: TOOL,
  ...ANSWERING,
  messages: MESSAGE,
  extra_body: shape({
    enable_search: null,
    google: shape({
      'thinking_config|thinkingConfig': gemini({ thinkingBudget: null, thinkingLevel: null }),
      'cached_content|cachedContent': null,
    }),
  }),
  prediction: shape({ type: null, content: PART }),
})

const MESSAGES = shape({
  ...ANYWHERE,
  ...REACHING,
  tools: TOOL,
  messages: MESSAGE,
  system: PART,
  max_tokens: null,
  thinking: THINKING,
  output_config: shape({ effort: null }),
})

const RESPONSES = shape({
  ...ANYWHERE,
  ...REACHING,
  tools: TOOL,
  ...ANSWERING,
  input: ITEM,
  instructions: MESSAGE,
  text: null,
  max_tool_calls: null,
  prompt: null,
  background: null,
})

const EMBEDDINGS = shape({ ...ANYWHERE, input: PART, dimensions: null, encoding_format: null })

const PICTURE = shape({ file_id: null, image_url: null })

const PICTURES = shape({
  ...ANYWHERE,
  prompt: null,
  n: null,
  batch_size: null,
  num_outputs: null,
  max_images: null,
  sequential_image_generation: null,
  sequential_image_generation_options: shape({ max_images: null }),
  size: null,
  quality: null,
  response_format: null,
  partial_images: null,
  'image|image[]': PICTURE,
  images: PICTURE,
  mask: PICTURE,
  req_key: null,
  input: shape({ prompt: null, messages: MESSAGE }),
  parameters: shape({ n: null, size: null, max_images: null, enable_interleave: null }),
})

/**
 * Some vendors take further options in `metadata`. The text to speak must not come from there, so these
 * members of it are judged.
 */
const SPEECH = shape({
  ...ANYWHERE,
  input: null,
  instructions: null,
  voice: null,
  response_format: null,
  stream_format: null,
  metadata: shape({ request: shape({ text: null, model: null, operation: null, reqid: null }), audio: null }),
})

const TRANSCRIPTION = shape({
  ...ANYWHERE,
  file: null,
  prompt: null,
  response_format: null,
  stream_options: STREAM_OPTIONS,
})

export const checkedMembers: Readonly<Record<CallOperation, CheckedShape>> = {
  chat: CHAT,
  messages: MESSAGES,
  responses: RESPONSES,
  compact: RESPONSES,
  generate: GENERATE,
  completions: shape({
    ...ANYWHERE,
    prompt: null,
    suffix: null,
    n: null,
    best_of: null,
    max_tokens: null,
    max_completion_tokens: null,
    stream_options: STREAM_OPTIONS,
  }),
  embeddings: EMBEDDINGS,
  moderations: EMBEDDINGS,
  embed: EMBED,
  rerank: shape({ ...ANYWHERE, query: null, documents: null, top_n: null }),
  search: shape({ ...ANYWHERE, input: MESSAGE, commands: null, max_output_tokens: null }),
  images: PICTURES,
  'image-edits': PICTURES,
  'image-variations': PICTURES,
  speech: SPEECH,
  transcriptions: TRANSCRIPTION,
  translations: TRANSCRIPTION,
  realtime: shape({ ...ANYWHERE }),
}
