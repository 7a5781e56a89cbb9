import { callerFault, upstreamFault } from '../definition.ts'

/** Problems of drawing, music and video tasks. Most codes are defined by the wire contract. */
export const taskProblems = {
  prompt_is_required: callerFault(400, { en: 'A prompt is required', zh: '缺少提示词 prompt' }),
  task_id_is_required: callerFault(400, { en: 'A task id is required', zh: '缺少任务 ID' }),
  action_is_required: callerFault(400, { en: 'An action is required', zh: '缺少 action' }),
  index_is_required: callerFault(400, { en: 'An index is required', zh: '缺少 index' }),
  index_parse_failed: callerFault(400, { en: 'The index must be from 1 to 4', zh: 'index 须为 1 到 4' }),
  content_parse_failed: callerFault(400, {
    en: 'The content must have the form "TASK U1", "TASK V2" or "TASK R"',
    zh: 'content 的格式须为“任务ID U1”、“任务ID V2”或“任务ID R”',
  }),
  custom_id_is_required: callerFault(400, { en: 'A customId is required', zh: '缺少 customId' }),
  unknown_action: callerFault(400, { en: 'Unknown action {action}', zh: '未知的操作 {action}' }),
  task_not_found: callerFault(400, { en: 'Task not found', zh: '任务不存在' }),
  task_not_ended: callerFault(409, { en: 'The task has not ended yet', zh: '任务尚未结束' }),
  task_status_not_success: callerFault(400, { en: 'The task has not succeeded yet', zh: '任务尚未成功完成' }),
  task_channel_disabled: callerFault(400, {
    en: 'The channel of this task is disabled',
    zh: '该任务所属渠道已被禁用',
  }),
  midjourney_task_not_found: callerFault(400, { en: 'There is no such image', zh: '图片不存在' }),
  task_callback_refused: callerFault(403, {
    en: 'This callback belongs to no task',
    zh: '该回调不属于任何任务',
  }),
  task_image_unavailable: upstreamFault(502, {
    en: 'The image could not be fetched from its upstream',
    zh: '无法从上游获取该图片',
  }),
  task_content_unavailable: upstreamFault(502, {
    en: 'The video could not be fetched from its upstream',
    zh: '无法从上游获取该视频',
  }),
  video_remix_unsupported: callerFault(400, {
    en: 'The upstream of this video does not support remixes',
    zh: '该视频的上游不支持重混（remix）',
  }),
  video_sizes_differ: callerFault(400, {
    en: "Invalid request, 'size' ({size}) and 'resolution' ({resolution}) are different video sizes",
    zh: '无效的请求，size（{size}）与 resolution（{resolution}）所指的视频尺寸不一致',
  }),
  video_quality_unsupported: callerFault(400, {
    en: "The upstream of this model does not support videos with '{quality}'",
    zh: '该模型的上游不支持以“{quality}”方式生成视频',
  }),
  task_outcome_unknown: upstreamFault(504, {
    en: 'The upstream did not confirm the task. It is kept as {task}, and refunded if it fails',
    zh: '上游未确认是否接受任务。任务保留为 {task}，若无结果将退还额度',
  }),
}
