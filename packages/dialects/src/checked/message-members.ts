import { shape, type CheckedShape, type CheckedSpec } from './shape.ts'
import { gemini } from './gemini-members.ts'
import { CONTAINER } from './shared-members.ts'

export const AUDIO = shape({ id: null, data: null, format: null, voice: null })
const SOURCE = shape({
  type: null,
  media_type: null,
  data: null,
  text: null,
  url: null,
  file_id: null,
  content: () => PART,
})

/** A content part of a message in the OpenAI and Anthropic dialects. */
export const PART: CheckedShape = shape({
  type: null,
  text: null,
  content: () => PART,
  thinking: null,
  reasoning: null,
  refusal: null,
  data: null,
  encrypted_content: null,
  source: SOURCE,
  image_url: shape({ url: null, detail: null }),
  image: null,
  detail: null,
  input_audio: shape({ data: null, format: null }),
  audio_url: shape({ url: null }),
  audio: AUDIO,
  video_url: shape({ url: null }),
  video: null,
  file: shape({ file_id: null, file_data: null, file_url: null, filename: null }),
  image_file: shape({ file_id: null }),
  document_url: null,
  file_id: null,
  'file_data|fileData': gemini({ mimeType: null, fileUri: null }),
  'inline_data|inlineData': gemini({ mimeType: null, data: null }),
  file_url: null,
  filename: null,
  parts: () => PART,
})

const CALLED = shape({ name: null, arguments: null, input: null })

/** A message of any dialect except Gemini. */
const MESSAGE_MEMBERS: CheckedSpec = {
  type: null,
  role: null,
  name: null,
  content: PART,
  output: PART,
  audio: AUDIO,
  tool_calls: shape({ type: null, function: CALLED, custom: CALLED }),
  function_call: CALLED,
  arguments: null,
  input: null,
  reasoning_content: null,
  reasoning: null,
  summary: PART,
  refusal: null,
  id: null,
  encrypted_content: null,
}

export const MESSAGE = shape(MESSAGE_MEMBERS)

/**
 * A tool that the upstream runs. Names, descriptions and schemas of functions are the caller's own and are
 * not judged.
 */
export const TOOL: CheckedShape = shape({
  type: null,
  tools: () => TOOL,
  environment: shape({ type: null }),
  max_uses: null,
  max_content_tokens: null,
  max_num_results: null,
  search_context_size: null,
  container: CONTAINER,
  vector_store_ids: null,
  file_ids: null,
  server_url: null,
  connector_id: null,
  model: null,
  size: null,
  quality: null,
  partial_images: null,
})

/** An item of the Responses API, which may contain tools or another effort. */
export const ITEM = shape({ ...MESSAGE_MEMBERS, reasoning: shape({ effort: null }), tools: TOOL })
