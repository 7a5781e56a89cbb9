import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'
import { mergedMembers, routingMembers } from './common-members.ts'

/** Members that decide the price of a video. They may stand beside the prompt or inside `metadata`. */
const video: readonly MemberRow[] = [
  ...defineRows('content', source.OPENAI_VIDEOS, 'model model_name prompt'),
  ...defineRows(
    'priced',
    source.OPENAI_VIDEOS,
    'seconds duration durationSeconds frames size resolution mode',
  ),
  ...defineRows('limit', source.VERTEX_GENERATE, 'n sampleCount'),
  ...defineRows('priced', source.VERTEX_GENERATE, 'generate_audio|generateAudio audio sound'),
  ...defineRows('priced', source.VOLCANO_CHAT, 'service_tier off_peak'),
  ...defineRows('content', source.KLING_VIDEOS, 'callback_url'),
  ...defineRows('priced', source.KLING_VIDEOS, 'voice_list is_rec shot_type'),
  ...defineRows('content', source.VERTEX_GENERATE, 'tools instances parameters storageUri'),
  ...defineRows('content', source.VIDU_VIDEOS, 'input media content'),
  defineRow('req_key', 'content', source.JIMENG_VIDEOS),
]

const videoTuning: readonly MemberRow[] = [
  ...defineRows(
    'plain',
    source.KLING_VIDEOS,
    `negative_prompt cfg_scale camera_control aspect_ratio static_mask dynamic_masks external_task_id
     watermark_info element_list video_list image_list multi_shot multi_prompt customized_prompt sound_list
     multi_shots voice_ids`,
  ),
  ...defineRows(
    'plain',
    source.VOLCANO_CHAT,
    `seed camera_fixed camerafixed watermark ratio return_last_frame framespersecond frames_per_second
     execution_expires_after draft draft_task safety_identifier first_frame last_frame reference_images`,
  ),
  ...defineRows(
    'plain',
    source.VIDU_VIDEOS,
    `style bgm movement_amplitude payload wm_position wm_url meta_data subjects audio_type template area images_base64
     first_frame_image last_frame_image prompt_optimizer fast_pretreatment aigc_watermark subject_reference`,
  ),
  ...defineRows(
    'plain',
    source.VERTEX_GENERATE,
    `personGeneration person_generation enhancePrompt negativePrompt aspectRatio compressionQuality resizeMode
     image_url img_url first_frame_url last_frame_url audio_url prompt_extend width height fps response_format
     quality user remix_id video video_url video_id characters provider_options image_urls group stream`,
  ),
]

const pictures: readonly MemberRow[] = [
  defineRow('image|image[]', 'content', source.OPENAI_VIDEOS, { inside: 'video-picture' }),
  defineRow('images', 'content', source.OPENAI_VIDEOS, { inside: 'video-picture' }),
  defineRow('image_tail', 'content', source.KLING_VIDEOS),
  defineRow('input_reference|input_reference[image_url]', 'content', source.OPENAI_VIDEOS, {
    inside: 'video-picture',
  }),
]

const metadata = defineRow('metadata', 'content', source.OPENAI_VIDEOS, { inside: 'video-metadata-members' })
const merged = mergedMembers.filter(({ name }) => name !== 'parameters')

/** Submissions of tasks. */
export const taskObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  video: composeRows(video, pictures, [metadata], routingMembers, merged, videoTuning),
  kling: composeRows(video, pictures, [metadata], routingMembers, merged, videoTuning),
  jimeng: composeRows(
    video,
    defineRows('content', source.JIMENG_VIDEOS, 'image_urls binary_data_base64 aspect_ratio'),
    [metadata],
    routingMembers,
    merged,
    videoTuning,
  ),
  'video-metadata-members': composeRows(video, routingMembers, videoTuning),
  'video-picture': defineRows('content', source.OPENAI_VIDEOS, 'image_url url').concat(
    defineRows('plain', source.OPENAI_VIDEOS, 'type role detail file_id'),
  ),
  midjourney: composeRows(
    [
      ...defineRows(
        'content',
        source.MIDJOURNEY_PROXY,
        'prompt taskId action index customId content base64 base64Array',
      ),
      ...defineRows('content', source.MIDJOURNEY_PROXY, 'notifyHook botType mode'),
      defineRow('accountFilter', 'content', source.MIDJOURNEY_PROXY, { inside: 'account-filter' }),
    ],
    defineRows(
      'plain',
      source.MIDJOURNEY_PROXY,
      `state dimensions maskBase64 sourceBase64 targetBase64 chooseSameChannel remix language enableRemix
       model tags title text`,
    ),
    routingMembers,
  ),
  'account-filter': defineRows('content', source.MIDJOURNEY_PROXY, 'modes instanceId channelId remark'),
  suno: composeRows(
    defineRows(
      'content',
      source.SUNO_API,
      'prompt gpt_description_prompt mv task_id continue_clip_id notify_hook title tags',
    ),
    defineRows(
      'plain',
      source.SUNO_API,
      `make_instrumental continue_at infill_start_s infill_end_s task continued_aligned_prompt cover_clip_id
       generation_type negative_tags model metadata artist_clip_id persona_id action`,
    ),
    routingMembers,
  ),
}
