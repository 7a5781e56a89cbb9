import { z } from 'zod'
import { LOG_TYPE } from '../log.ts'
import { json } from './json-kinds.ts'
import { choice, decimal, integer, parts, toggle } from './kinds.ts'

const DISABLE_KEYWORDS = [
  'your credit balance is too low',
  'this organization has been disabled.',
  'you exceeded your current quota',
  'permission denied',
  'the security token included in the request is invalid',
  'operation not allowed',
  'your account is not authorized',
]

const LOG_TYPE_NAMES = Object.keys(LOG_TYPE)
const KEEP_DAYS_MAX = 36_500

const PERMISSION = { min: 0, max: 100 }

/** Channels under watch, what is logged, what is filtered, how much a user may ask. */
export const operationOptions = {
  RetryTimes: integer(
    0,
    { min: 0, max: 20 },
    {
      section: 'monitoring',
      en: 'Further channels tried after a failure.',
      zh: '失败后在其他渠道重试的次数。',
    },
  ),
  ChannelDisableThreshold: decimal(
    5,
    { min: 0, max: 10_000 },
    {
      section: 'monitoring',
      en: 'Seconds after which a tested channel is disabled; 0 means never.',
      zh: '测试响应超过该秒数时禁用渠道，0 表示不禁用。',
    },
  ),
  AutomaticDisableChannelEnabled: toggle(false, {
    section: 'monitoring',
    en: 'Disables a channel whose upstream refuses it.',
    zh: '上游拒绝时自动禁用渠道。',
  }),
  AutomaticEnableChannelEnabled: toggle(false, {
    section: 'monitoring',
    en: 'Enables a disabled channel whose test succeeds.',
    zh: '测试成功时自动启用渠道。',
  }),
  AutomaticDisableKeywords: parts('lines', DISABLE_KEYWORDS, {
    section: 'monitoring',
    fold: true,
    en: 'Error texts and codes that disable a channel, in any case.',
    zh: '触发自动禁用的错误文本或错误码，不区分大小写。',
  }),
  LogConsumeEnabled: toggle(true, {
    section: 'monitoring',
    en: 'Writes the usage log.',
    zh: '记录消费日志。',
  }),
  LogChatContentEnabled: toggle(false, {
    section: 'monitoring',
    en: 'Keeps what is said in chats, prompts of pictures, texts that are spoken and transcripts beside the usage log: without keys, e-mail addresses, telephone and card numbers, and sealed.',
    zh: '在使用日志旁保存对话内容、绘图提示词、朗读文本和转写结果：去除密钥、邮箱、电话和卡号，并加密存储。',
  }),
  'log_setting.chat_readers': choice(['root', 'admin', 'owner'], {
    section: 'monitoring',
    en: 'Who may read kept chats: root alone, every admin, or every admin and the user whose call it was.',
    zh: '谁可以查看保存的对话：仅超级管理员（root）、全部管理员（admin），或管理员及调用者本人（owner）。',
  }),
  'log_setting.chat_characters': integer(
    16_000,
    { min: 200, max: 200_000 },
    {
      section: 'monitoring',
      en: 'Characters kept of one call, at most; half of them for the answer.',
      zh: '每次调用最多保存的字符数，其中一半用于回答。',
    },
  ),
  'log_setting.chat_days': integer(
    7,
    { min: 1, max: KEEP_DAYS_MAX },
    {
      section: 'monitoring',
      en: 'Days that kept chats stay; they go earlier when their row does.',
      zh: '对话内容的保留天数；对应日志删除时一并删除。',
    },
  ),
  'log_setting.keep_days': json(
    z.strictObject(
      Object.fromEntries(LOG_TYPE_NAMES.map((name) => [name, z.int().min(0).max(KEEP_DAYS_MAX).default(0)])),
    ),
    Object.fromEntries(LOG_TYPE_NAMES.map((name) => [name, 0])),
    {
      section: 'monitoring',
      en: 'Days that rows of the usage log are kept, by type; 0 means for ever. Sums by the hour and the ledger stay.',
      zh: '各类型使用日志的保留天数，0 表示永久保留。按小时的汇总和账本不受影响。',
      rows: {
        shape: 'numbers',
        columns: [
          { en: 'Type', zh: '类型' },
          { en: 'Days', zh: '天数' },
        ],
      },
      allowed: {
        en: `a JSON object of ${LOG_TYPE_NAMES.join(', ')} to whole days`,
        zh: `${LOG_TYPE_NAMES.join('、')} 到整数天数的 JSON 对象`,
      },
    },
  ),
  'log_setting.size_mb': integer(
    0,
    { min: 0, max: 100_000_000 },
    {
      section: 'monitoring',
      en: 'Megabytes that the usage log may take, about; the oldest calls are removed beyond. 0 means no limit.',
      zh: '使用日志的大致容量上限（MB），超出时删除最早的调用记录；0 表示不限。',
    },
  ),
  CheckSensitiveEnabled: toggle(true, { section: 'filter', en: 'Filter for words.', zh: '启用敏感词过滤。' }),
  CheckSensitiveOnPromptEnabled: toggle(true, {
    section: 'filter',
    en: 'Filters prompts.',
    zh: '检查提示词。',
  }),
  StopOnSensitiveEnabled: toggle(true, {
    section: 'filter',
    en: 'Kept for importers; has no effect.',
    zh: '为导入保留，无效果。',
  }),
  SensitiveWords: parts('lines', ['test_sensitive'], {
    section: 'filter',
    en: 'Words refused in prompts, in any case; a line that begins with regex: is a pattern.',
    zh: '提示词中不允许出现的词，不区分大小写；以 regex: 开头的行为正则表达式。',
  }),
  StreamCacheQueueLength: integer(
    0,
    { min: 0, max: 1000 },
    {
      section: 'filter',
      en: 'Kept for importers; has no effect.',
      zh: '为导入保留，无效果。',
    },
  ),
  ModelRequestRateLimitEnabled: toggle(false, {
    section: 'filter',
    en: 'Limits relay calls of each user.',
    zh: '启用用户模型请求速率限制。',
  }),
  ModelRequestRateLimitDurationMinutes: integer(
    1,
    { min: 0, max: 43_200 },
    {
      section: 'filter',
      en: 'Window of the limit in minutes; 0 means no limit.',
      zh: '限制周期（分钟），0 表示不限。',
    },
  ),
  ModelRequestRateLimitCount: integer(
    0,
    { min: 0, max: 100_000_000 },
    {
      section: 'filter',
      en: 'Calls in the window; 0 means no limit.',
      zh: '周期内最多请求次数，0 表示不限。',
    },
  ),
  ModelRequestRateLimitSuccessCount: integer(
    1000,
    { min: 1, max: 100_000_000 },
    {
      section: 'filter',
      en: 'Successful calls in the window.',
      zh: '周期内最多成功请求次数。',
    },
  ),
  MjNotifyEnabled: toggle(false, {
    section: 'drawing',
    en: 'Passes callbacks to the upstream.',
    zh: '允许回调。',
  }),
  MjAccountFilterEnabled: toggle(false, {
    section: 'drawing',
    en: 'Passes the account filter.',
    zh: '允许账号筛选参数。',
  }),
  MjModeClearEnabled: toggle(false, {
    section: 'drawing',
    en: 'Removes speed switches.',
    zh: '清除速度模式参数。',
  }),
  MjForwardUrlEnabled: toggle(true, {
    section: 'drawing',
    en: 'Serves images itself.',
    zh: '通过本站转发图片地址。',
  }),
  MjActionCheckSuccessEnabled: toggle(true, {
    section: 'drawing',
    en: 'Follow-up actions need a finished task.',
    zh: '后续操作需要任务已完成。',
  }),
  FileUploadPermission: integer(0, PERMISSION, {
    section: 'drawing',
    en: 'Kept; no effect.',
    zh: '保留，无效果。',
  }),
  FileDownloadPermission: integer(0, PERMISSION, {
    section: 'drawing',
    en: 'Kept; no effect.',
    zh: '保留，无效果。',
  }),
  ImageUploadPermission: integer(0, PERMISSION, {
    section: 'drawing',
    en: 'Kept; no effect.',
    zh: '保留，无效果。',
  }),
  ImageDownloadPermission: integer(0, PERMISSION, {
    section: 'drawing',
    en: 'Kept; no effect.',
    zh: '保留，无效果。',
  }),
}
