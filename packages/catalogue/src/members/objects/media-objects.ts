import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'
import { commonMembers, mergedMembers, namingMembers, routingMembers } from './common-members.ts'

const provider = defineRow('provider', 'narrows', source.OPENROUTER_PROVIDER, { inside: 'provider' })

function body(...lists: readonly (readonly MemberRow[])[]): readonly MemberRow[] {
  return composeRows(commonMembers, ...lists, [provider], namingMembers, routingMembers, mergedMembers)
}

const transcription = body(
  defineRows('content', source.OPENAI_AUDIO, 'file prompt response_format'),
  [defineRow('stream_options', 'content', source.OPENAI_AUDIO, { inside: 'stream-options' })],
  defineRows(
    'plain',
    source.OPENAI_AUDIO,
    `language temperature timestamp_granularities chunking_strategy include known_speaker_names
     known_speaker_references user metadata`,
  ),
  defineRows(
    'plain',
    source.GROQ_CHAT,
    'url diarize tag_audio_events num_speakers hotwords request_id seed context_bias',
  ),
)

/** Bodies and forms of embeddings, pictures, speech, transcripts and reranking. */
export const mediaObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  embeddings: body(
    [defineRow('input', 'content', source.OPENAI_EMBEDDINGS, { inside: 'part' })],
    defineRows('content', source.OPENAI_EMBEDDINGS, 'dimensions encoding_format'),
    defineRows('plain', source.OPENAI_EMBEDDINGS, 'user metadata'),
    defineRows(
      'plain',
      source.VOYAGE_EMBEDDINGS,
      'input_type truncation truncate output_dimension output_dtype inputs',
    ),
    defineRows(
      'plain',
      source.JINA_API,
      'task late_chunking embedding_type normalized embedding_types return_multivector',
    ),
    defineRows(
      'plain',
      source.VLLM_SERVER,
      'messages truncate_prompt_tokens add_special_tokens priority request_id',
    ),
    defineRows(
      'plain',
      source.QWEN_CHAT,
      'text_type instruct output_type multi_embedding_config sparse_embedding content',
    ),
  ),
  rerank: body(
    defineRows('content', source.COHERE_RERANK, 'query documents top_n'),
    defineRows(
      'plain',
      source.COHERE_RERANK,
      'return_documents max_chunks_per_doc max_tokens_per_doc rank_fields truncation top_k priority',
    ),
    defineRows(
      'plain',
      source.SILICONFLOW_API,
      'instruction overlap_tokens user metadata texts raw_scores truncate',
    ),
  ),
  images: body(
    [defineRow('prompt', 'content', source.OPENAI_IMAGES)],
    defineRows('limit', source.OPENAI_IMAGES, 'n'),
    defineRows('limit', source.SILICONFLOW_API, 'batch_size'),
    defineRows('limit', source.REPLICATE_API, 'num_outputs'),
    defineRows('limit', source.VOLCANO_IMAGES, 'max_images sequential_image_generation'),
    [
      defineRow('sequential_image_generation_options', 'limit', source.VOLCANO_IMAGES, {
        inside: 'sequence-options',
      }),
      ...defineRows('priced', source.OPENAI_IMAGES, 'size quality partial_images'),
      defineRow('response_format', 'content', source.OPENAI_IMAGES),
      defineRow('image|image[]', 'content', source.OPENAI_IMAGES, { inside: 'picture' }),
      defineRow('images', 'content', source.OPENAI_IMAGES, { inside: 'picture' }),
      defineRow('mask', 'content', source.OPENAI_IMAGES, { inside: 'picture' }),
      defineRow('req_key', 'content', source.JIMENG_VIDEOS),
      defineRow('input', 'content', source.DASHSCOPE_IMAGES, { inside: 'image-input' }),
      defineRow('parameters', 'limit', source.DASHSCOPE_IMAGES, { inside: 'image-parameters' }),
    ],
    defineRows(
      'plain',
      source.OPENAI_IMAGES,
      `background moderation output_compression output_format style user input_fidelity metadata stream_options
       seed negative_prompt guidance_scale num_inference_steps prompt_enhancement cfg image_size watermark
       aspect_ratio resolution strength steps optimize_prompt_options tools width height prompt_optimizer
       subject_reference aigc_watermark ref_images user_id output_quality go_fast megapixels disable_safety_checker
       logo_info return_url image_urls binary_data_base64 scale image2 image3 prompt_extend num_images samples
       image_num number_of_images sample_count num person_generation safety_setting language enhance_prompt
       storage_uri image_config modalities`,
    ),
  ),
  'sequence-options': [
    defineRow('max_images', 'limit', source.VOLCANO_IMAGES),
    ...defineRows('plain', source.VOLCANO_IMAGES, 'mode'),
  ],
  picture: defineRows('content', source.OPENAI_IMAGES, 'file_id image_url').concat(
    defineRows('plain', source.OPENAI_IMAGES, 'type url detail b64_json'),
  ),
  'image-input': [
    defineRow('prompt', 'content', source.DASHSCOPE_IMAGES),
    defineRow('messages', 'content', source.DASHSCOPE_IMAGES, { inside: 'message' }),
    ...defineRows(
      'plain',
      source.DASHSCOPE_IMAGES,
      `negative_prompt ref_img image_url base_image_url mask_image_url images function sketch_image_url image text
       num_outputs aspect_ratio seed width height guidance_scale num_inference_steps`,
    ),
  ],
  'image-parameters': [
    ...defineRows('limit', source.DASHSCOPE_IMAGES, 'n max_images'),
    ...defineRows('priced', source.DASHSCOPE_IMAGES, 'size enable_interleave'),
    ...defineRows(
      'plain',
      source.DASHSCOPE_IMAGES,
      `seed prompt_extend watermark negative_prompt style ref_strength ref_mode strength sampleCount sample_count
       aspectRatio personGeneration safetySetting addWatermark outputOptions storageUri language enhancePrompt
       sampleImageSize includeRaiReason includeSafetyAttributes`,
    ),
  ],
  speech: body(
    defineRows('content', source.OPENAI_AUDIO, 'input instructions voice response_format stream_format'),
    [defineRow('metadata', 'content', source.MINIMAX_SPEECH, { inside: 'speech-metadata' })],
    defineRows(
      'plain',
      source.OPENAI_AUDIO,
      `speed_ratio sample_rate gain references language language_type pitch volume emotion text_normalization
       voice_setting audio_setting pronunciation_dict timber_weights language_boost subtitle_enable output_format
       stream_options user vol bitrate voice_settings seed previous_text next_text watermark_enabled encode_format`,
    ),
  ),
  'speech-metadata': [
    defineRow('request', 'content', source.VOLCANO_CHAT, { inside: 'speech-request' }),
    defineRow('audio', 'content', source.VOLCANO_CHAT),
    defineRow('model', 'routes', source.VOLCANO_CHAT),
    ...defineRows(
      'plain',
      source.MINIMAX_SPEECH,
      `app user voice_setting audio_setting pronunciation_dict timber_weights language_boost voice_modify
       subtitle_enable output_format aigc_watermark text_normalization continuous_sound timbre_weights`,
    ),
  ],
  'speech-request': [
    ...defineRows('content', source.VOLCANO_CHAT, 'text model operation reqid'),
    ...defineRows(
      'plain',
      source.VOLCANO_CHAT,
      'text_type silence_duration with_timestamp extra_param with_frontend frontend_type',
    ),
  ],
  transcriptions: transcription,
}
