import type { Language } from './log-event/texts.ts'

type Words = Readonly<Record<Language, string>>

const actions: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['IMAGINE', { en: 'Imagine', zh: '绘图' }],
  ['UPSCALE', { en: 'Upscale', zh: '放大' }],
  ['VARIATION', { en: 'Variation', zh: '变换' }],
  ['HIGH_VARIATION', { en: 'Strong variation', zh: '强变换' }],
  ['LOW_VARIATION', { en: 'Subtle variation', zh: '弱变换' }],
  ['PAN', { en: 'Pan', zh: '平移' }],
  ['DESCRIBE', { en: 'Describe', zh: '图生文' }],
  ['BLEND', { en: 'Blend', zh: '图混合' }],
  ['UPLOAD', { en: 'Upload', zh: '上传文件' }],
  ['SHORTEN', { en: 'Shorten', zh: '缩词' }],
  ['REROLL', { en: 'Reroll', zh: '重绘' }],
  ['INPAINT', { en: 'Inpaint', zh: '局部重绘-提交' }],
  ['ZOOM', { en: 'Zoom out', zh: '变焦' }],
  ['CUSTOM_ZOOM', { en: 'Custom zoom', zh: '自定义变焦-提交' }],
  ['MODAL', { en: 'Window submit', zh: '窗口处理' }],
  ['SWAP_FACE', { en: 'Swap face', zh: '换脸' }],
  ['EDITS', { en: 'Edit', zh: '编辑' }],
  ['VIDEO', { en: 'Video', zh: '视频' }],
  ['MUSIC', { en: 'Music', zh: '生成音乐' }],
  ['LYRICS', { en: 'Lyrics', zh: '生成歌词' }],
  ['TEXT2VIDEO', { en: 'Text to video', zh: '文生视频' }],
  ['IMAGE2VIDEO', { en: 'Image to video', zh: '图生视频' }],
  ['REMIX', { en: 'Remix', zh: '视频重混' }],
])

/** Name of a task's action; an unknown action is returned as it is stored. */
export function taskActionText(action: string, language: Language): string {
  return actions.get(action)?.[language] ?? action
}

/**
 * Reasons for which the gateway itself ended a task, as stored in `fail_reason`. Clients compare these texts:
 * never change one.
 */
export const TASK_REASON = {
  channelGone: 'its channel is gone',
  tooLate: 'the upstream did not finish it in time',
  forgotten: 'the upstream knows it no longer',
  failed: 'the upstream failed',
} as const

const reasons: ReadonlyMap<string, Words> = new Map<string, Words>([
  [TASK_REASON.channelGone, { en: 'The channel was deleted', zh: '渠道已被删除' }],
  [TASK_REASON.tooLate, { en: 'The upstream did not finish in time', zh: '上游未在规定时间内完成' }],
  [TASK_REASON.forgotten, { en: 'The upstream no longer knows this task', zh: '上游已没有该任务的记录' }],
  [
    TASK_REASON.failed,
    { en: 'The upstream reported a failure without a reason', zh: '上游失败，未说明原因' },
  ],
])

/** Translates the reason of a failed task; text from an upstream is returned unchanged. */
export function taskReasonText(reason: string, language: Language): string {
  return reasons.get(reason)?.[language] ?? reason
}
