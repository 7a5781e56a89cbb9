/** Problems of drawing, music and video tasks. Most codes are defined by the wire contract. */
export const taskProblems = {
  prompt_is_required: caller(400, 'A prompt is required', '缺少提示词 prompt'),
  task_id_is_required: caller(400, 'A task id is required', '缺少任务 ID'),
  action_is_required: caller(400, 'An action is required', '缺少 action'),
  index_is_required: caller(400, 'An index is required', '缺少 index'),
  index_parse_failed: caller(400, 'The index must be from 1 to 4', 'index 须为 1 到 4'),
  content_parse_failed: caller(
    400,
    'The content must have the form "TASK U1", "TASK V2" or "TASK R"',
    'content 的格式须为“任务ID U1”、“任务ID V2”或“任务ID R”',
  ),
  custom_id_is_required: caller(400, 'A customId is required', '缺少 customId'),
  unknown_action: caller(400, 'Unknown action {action}', '未知的操作 {action}'),
  task_not_found: caller(400, 'Task not found', '任务不存在'),
  task_not_ended: caller(409, 'The task has not ended yet', '任务尚未结束'),
  task_status_not_success: caller(400, 'The task has not succeeded yet', '任务尚未成功完成'),
  task_channel_disabled: caller(400, 'The channel of this task is disabled', '该任务所属渠道已被禁用'),
  midjourney_task_not_found: caller(400, 'There is no such image', '图片不存在'),
  task_callback_refused: caller(403, 'This callback belongs to no task', '该回调不属于任何任务'),
  task_image_unavailable: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The image could not be fetched from its upstream', zh: '无法从上游获取该图片' },
  },
  task_content_unavailable: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The video could not be fetched from its upstream', zh: '无法从上游获取该视频' },
  },
  video_remix_unsupported: caller(
    400,
    'The upstream of this video does not support remixes',
    '该视频的上游不支持重混（remix）',
  ),
  video_sizes_differ: caller(
    400,
    "Invalid request, 'size' ({size}) and 'resolution' ({resolution}) are different video sizes",
    '无效的请求，size（{size}）与 resolution（{resolution}）所指的视频尺寸不一致',
  ),
  video_quality_unsupported: caller(
    400,
    "The upstream of this model does not support videos with '{quality}'",
    '该模型的上游不支持以“{quality}”方式生成视频',
  ),
  task_outcome_unknown: {
    status: 504,
    fault: 'upstream',
    text: {
      en: 'The upstream did not confirm the task. It is kept as {task}, and refunded if it fails',
      zh: '上游未确认是否接受任务。任务保留为 {task}，若无结果将退还额度',
    },
  },
} as const

function caller(status: number, en: string, zh: string) {
  return { status, fault: 'caller', text: { en, zh } } as const
}
