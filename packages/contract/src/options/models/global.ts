import { integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const globalSection = section({
  key: 'global',
  title: { en: 'All providers', zh: '全局设置' },
  purpose: { en: 'What holds for every call.', zh: '对所有请求生效。' },
  settings: {
    'global.pass_through_request_enabled': toggle(false, {
      label: { en: 'Pass requests through', zh: '启用请求透传' },
      help: {
        en: 'The body of a call is forwarded as it came, without the system prompt and the changes of a channel.',
        zh: '请求体原样转发给上游，不应用渠道的系统提示词和改写。',
      },
    }),
    'global.hide_upstream_error_enabled': toggle(false, {
      label: { en: 'Hide upstream errors', zh: '隐藏上游错误信息' },
      help: {
        en: 'Callers get a short sentence of ours when a call fails; the upstream’s own text stays in the log.',
        zh: '请求失败时返回简短的说明，上游返回的错误原文只记入日志。',
      },
    }),
    'global.block_browser_extension_enabled': toggle(false, {
      label: { en: 'Block browser extensions', zh: '拒绝浏览器扩展请求' },
      help: {
        en: 'Refuses chat calls that a browser extension sends, by their Origin header.',
        zh: '根据 Origin 请求头，拒绝浏览器扩展发出的对话请求。',
      },
    }),
    'general_setting.ping_interval_enabled': toggle(true, {
      label: { en: 'Keep-alive in streams', zh: '启用流保活' },
      help: {
        en: 'Sends a comment or ping while a stream is silent, so that proxies do not cut the connection. It begins 30 seconds after the request, or after one interval that is below 15 or above 30, which fixes status 200: a later failure is an error in the stream. Gemini streams get none.',
        zh: '流没有数据时定期发送注释或 ping，避免中间代理断开连接。请求后 30 秒开始发送；间隔小于 15 秒或大于 30 秒时，在一个间隔后开始。此时状态码已固定为 200，之后的失败以流内错误返回。Gemini 流不发送。',
      },
    }),
    'general_setting.ping_interval_seconds': integer(15, {
      min: 1,
      max: 3600,
      label: { en: 'Keep-alive interval (seconds)', zh: '保活间隔（秒）' },
      help: {
        en: 'How long a stream may be silent before a comment is sent.',
        zh: '流无数据超过该时间后发送保活注释。',
      },
    }),
  },
})
