import { shape, type CheckedShape, type CheckedSpec } from './shape.ts'

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
