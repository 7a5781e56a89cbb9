import { LOG_TYPE } from '@tollgate/kit/codes'
import { z } from 'zod'
import type { Words } from '../definition.ts'
import { json } from '../json-kinds.ts'
import { choice, integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const LOG_TYPE_NAMES = Object.keys(LOG_TYPE)
const LOG_TYPE_WORDS: Readonly<Record<keyof typeof LOG_TYPE, Words>> = {
  topUp: { en: 'Top-up', zh: '充值' },
  consumption: { en: 'Consumption', zh: '消费' },
  management: { en: 'Management', zh: '管理' },
  system: { en: 'System', zh: '系统' },
  checkIn: { en: 'Check-in', zh: '签到' },
  refund: { en: 'Refund', zh: '退款' },
  signIn: { en: 'Sign-in', zh: '登录' },
  error: { en: 'Error', zh: '错误' },
  refusal: { en: 'Refused', zh: '被拒绝' },
}
const KEEP_DAYS_MAX = 36_500

export const logSection = section({
  key: 'log',
  title: { en: 'Log', zh: '日志设置' },
  purpose: { en: 'What is kept of calls.', zh: '保留请求的哪些内容。' },
  finds: [{ en: 'Clean up the usage log', zh: '清理使用日志' }],
  settings: {
    LogConsumeEnabled: toggle(true, {
      label: { en: 'Usage log', zh: '启用额度消费日志记录' },
      help: {
        en: 'Writes one row for each call. Off: calls are still charged, but leave no row that explains the charge.',
        zh: '为每次调用写入一条日志。关闭后仍会计费，但没有日志说明费用。',
      },
    }),
    LogChatContentEnabled: toggle(false, {
      label: { en: 'Chat texts in the log', zh: '记录对话内容' },
      help: {
        en: 'Keeps what is said in chats, prompts of pictures, texts that are spoken and transcripts beside the usage log: without keys, e-mail addresses, telephone and card numbers, and sealed.',
        zh: '在使用日志旁保存对话内容、绘图提示词、朗读文本和转写结果：去除密钥、邮箱、电话和卡号，并加密存储。',
      },
      // Decides whether prompts and responses are stored.
      isGuarded: true,
    }),
    'log_setting.chat_readers': choice('root', {
      choices: {
        root: { en: 'Super admin', zh: '超级管理员' },
        admin: { en: 'Admins', zh: '管理员' },
        owner: { en: 'Admins and the caller', zh: '管理员和调用者本人' },
      },
      label: { en: 'Who may read kept chats', zh: '谁可以查看对话' },
      help: {
        en: 'Who may read kept chats: the super admin alone, every admin, or every admin and the user whose call it was.',
        zh: '谁可以查看保存的对话：仅超级管理员、全部管理员，或管理员及调用者本人。',
      },
      // Decides who may read stored prompts and responses.
      isGuarded: true,
    }),
    'log_setting.chat_characters': integer(16_000, {
      min: 200,
      max: 200_000,
      label: { en: 'Characters kept of a call', zh: '每次调用保存的字符数' },
      help: {
        en: 'Characters kept of one call, at most; half of them for the answer.',
        zh: '每次调用最多保存的字符数，其中一半用于回答。',
      },
    }),
    'log_setting.chat_days': integer(7, {
      min: 1,
      max: KEEP_DAYS_MAX,
      label: { en: 'Days to keep chats', zh: '对话保留天数' },
      help: {
        en: 'Days that kept chats stay; they go earlier when their row does.',
        zh: '对话内容的保留天数；对应日志删除时一并删除。',
      },
    }),
    'log_setting.size_mb': integer(0, {
      min: 0,
      max: 100_000_000,
      label: { en: 'Size of the log (MB)', zh: '日志容量上限（MB）' },
      help: {
        en: 'Megabytes that the usage log may take, about; the oldest calls are removed beyond. 0 means no limit.',
        zh: '使用日志的大致容量上限（MB），超出时删除最早的调用记录；0 表示不限。',
      },
    }),
    'log_setting.keep_days': json(
      z.strictObject(
        Object.fromEntries(
          LOG_TYPE_NAMES.map((name) => [name, z.int().min(0).max(KEEP_DAYS_MAX).default(0)]),
        ),
      ),
      Object.fromEntries(LOG_TYPE_NAMES.map((name) => [name, 0])),
      {
        label: { en: 'Days to keep rows', zh: '日志保留天数' },
        help: {
          en: 'Days that rows of the usage log are kept, by type; 0 means for ever. Sums by the hour and the ledger stay.',
          zh: '各类型使用日志的保留天数，0 表示永久保留。按小时的汇总和账本不受影响。',
        },
        rows: {
          shape: 'numbers',
          columns: [
            { en: 'Type', zh: '类型' },
            { en: 'Days', zh: '天数' },
          ],
          names: LOG_TYPE_WORDS,
        },
        allowed: {
          en: `a whole number of days from 0 to ${KEEP_DAYS_MAX} for each type (as JSON: ${LOG_TYPE_NAMES.join(', ')})`,
          zh: `各类型的天数（0 到 ${KEEP_DAYS_MAX} 之间的整数；JSON 键：${LOG_TYPE_NAMES.join('、')}）`,
        },
      },
    ),
  },
})
