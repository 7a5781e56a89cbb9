import type { CallOperation } from '../conversations.ts'
import { CheckedShape, type CheckedSpec } from './shape.ts'

/*
 * All judged members of a request. A member is judged if it affects price, limits, routing, the word filter
 * or the rejection of the request, or if its text is counted as input. Each has one accepted spelling and may
 * occur once. `null`: nothing inside is judged. That holds for schemas and arguments of tools, for metadata
 * of conversations and for texts, where callers may write what they like.
 */

/** Judged members of every body. */
const ANYWHERE: CheckedSpec = {
  model: null,
  group: null,
  stream: null,
  store: null,
  service_tier: null,
  inference_geo: null,
  speed: null,
  safety_identifier: null,
}

const STREAM_OPTIONS = shape({ include_usage: null })
const THINKING = shape({ type: null, budget_tokens: null })
const CONTAINER = shape({ type: null, id: null, file_ids: null, memory_limit: null, skills: null })
const AUDIO = shape({ id: null, data: null, format: null, voice: null })
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
const PART: CheckedShape = shape({
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

const MESSAGE = shape(MESSAGE_MEMBERS)

/**
 * A tool that the upstream runs. Names, descriptions and schemas of functions are the caller's own and are
 * not judged.
 */
const TOOL: CheckedShape = shape({
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
const ITEM = shape({ ...MESSAGE_MEMBERS, reasoning: shape({ effort: null }), tools: TOOL })

/**
 * Members that make an upstream read or run more than the request contains, under their names in several
 * dialects.
 */
const REACHING: CheckedSpec = {
  functions: null,
  web_search_options: shape({ search_context_size: null }),
  search_parameters: shape({ mode: null, max_search_results: null }),
  enable_search: null,
  enable_enhancement: null,
  enable_code_interpreter: null,
  web_search: shape({ enable: null, mode: null }),
  connectors: null,
  compound_custom: null,
  documents: null,
  'cached_content|cachedContent': null,
  conversation: null,
  previous_response_id: null,
  plugins: shape({ id: null, max_results: null }),
  mcp_servers: shape({ type: null, url: null, name: null }),
  container: CONTAINER,
  context_management: null,
  file_ids: null,
  vector_store_ids: null,
}

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
      'thinking_config|thinkingConfig': shape(eachInBoth({ thinkingBudget: null, thinkingLevel: null })),
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

/** Gemini accepts every member in camel case or in snake case, but not both at once. */
function eachInBoth(spec: CheckedSpec): CheckedSpec {
  return Object.fromEntries(
    Object.entries(spec).map(([name, inside]) => {
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [snake === name ? name : `${name}|${snake}`, inside]
    }),
  )
}

function gemini(spec: CheckedSpec): CheckedShape {
  return shape(eachInBoth(spec))
}

const GEMINI_PART: CheckedShape = gemini({
  text: null,
  thought: null,
  inlineData: gemini({ mimeType: null, data: null }),
  fileData: gemini({ mimeType: null, fileUri: null }),
  videoMetadata: gemini({ fps: null, startOffset: null, endOffset: null }),
  mediaResolution: null,
  functionCall: gemini({ id: null, name: null, args: null }),
  functionResponse: gemini({ id: null, name: null, response: null, parts: () => GEMINI_PART }),
})

const GEMINI_CONTENT = gemini({ role: null, parts: GEMINI_PART })

const GENERATION_CONFIG = gemini({
  maxOutputTokens: null,
  candidateCount: null,
  responseModalities: null,
  responseMimeType: null,
  mediaResolution: null,
  thinkingConfig: gemini({ thinkingBudget: null, thinkingLevel: null, includeThoughts: null }),
  speechConfig: gemini({ voiceConfig: null, multiSpeakerVoiceConfig: null }),
  imageConfig: gemini({ aspectRatio: null, imageSize: null, numberOfImages: null }),
})

const GENERATE = shape({
  ...REACHING,
  inference_geo: null,
  safety_identifier: null,
  ...eachInBoth({
    model: null,
    group: null,
    stream: null,
    serviceTier: null,
    speed: null,
    store: null,
    contents: GEMINI_CONTENT,
    systemInstruction: GEMINI_CONTENT,
    generationConfig: GENERATION_CONFIG,
    tools: gemini({
      functionDeclarations: null,
      googleSearch: null,
      googleSearchRetrieval: null,
      enterpriseWebSearch: null,
      googleMaps: null,
      urlContext: null,
      codeExecution: null,
      fileSearch: null,
      computerUse: null,
      retrieval: null,
      mcpServers: null,
    }),
  }),
})

const EMBED_REQUEST: CheckedSpec = { content: GEMINI_CONTENT, title: null, outputDimensionality: null }
const EMBED = shape({
  ...ANYWHERE,
  ...eachInBoth({ ...EMBED_REQUEST, requests: gemini({ model: null, ...EMBED_REQUEST }) }),
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

function shape(spec: CheckedSpec): CheckedShape {
  return new CheckedShape(spec)
}

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

/** Members that decide the price of a video. They may stand beside the prompt or inside `metadata`. */
const VIDEO: CheckedSpec = {
  model: null,
  model_name: null,
  prompt: null,
  seconds: null,
  duration: null,
  durationSeconds: null,
  frames: null,
  size: null,
  resolution: null,
  mode: null,
  n: null,
  sampleCount: null,
  'generate_audio|generateAudio': null,
  audio: null,
  sound: null,
  service_tier: null,
  off_peak: null,
  callback_url: null,
  voice_list: null,
  is_rec: null,
  tools: null,
  instances: null,
  parameters: null,
  storageUri: null,
  input: null,
  media: null,
  content: null,
  shot_type: null,
  req_key: null,
}

const VIDEO_METADATA = shape(VIDEO)

const PICTURES_OF_VIDEO: CheckedSpec = {
  'image|image[]': shape({ image_url: null, url: null }),
  images: shape({ image_url: null, url: null }),
  image_tail: null,
  'input_reference|input_reference[image_url]': shape({ image_url: null, url: null }),
}

/** Judged members of task submissions, by the platform whose format the submission has. */
export const checkedTaskMembers = {
  video: shape({ ...VIDEO, ...PICTURES_OF_VIDEO, metadata: VIDEO_METADATA }),
  kling: shape({ ...VIDEO, ...PICTURES_OF_VIDEO, metadata: VIDEO_METADATA }),
  jimeng: shape({
    ...VIDEO,
    image_urls: null,
    binary_data_base64: null,
    aspect_ratio: null,
    metadata: VIDEO_METADATA,
  }),
  midjourney: shape({
    prompt: null,
    taskId: null,
    action: null,
    index: null,
    customId: null,
    content: null,
    base64: null,
    base64Array: null,
    notifyHook: null,
    accountFilter: shape({ modes: null, instanceId: null, channelId: null, remark: null }),
    botType: null,
    mode: null,
  }),
  suno: shape({
    prompt: null,
    gpt_description_prompt: null,
    mv: null,
    task_id: null,
    continue_clip_id: null,
    notify_hook: null,
    title: null,
    tags: null,
  }),
} as const satisfies Readonly<Record<string, CheckedShape>>
