import { integer } from '../kinds.ts'
import { section } from '../section.ts'

export const responsesSocketSection = section({
  key: 'responses-socket',
  title: { en: 'Responses over WebSocket', zh: 'Responses WebSocket' },
  purpose: {
    en: 'Coding agents keep a connection and send many calls through it.',
    zh: '编程智能体保持一个连接，并通过它发送多次调用。',
  },
  settings: {
    'responses_socket_setting.connections_per_token': integer(100, {
      min: 0,
      max: 10_000,
      label: { en: 'Connections per token', zh: '每个令牌的连接数' },
      help: {
        en: 'At most this many at a time, on each gateway process. With 0 there are none, and clients use HTTP instead.',
        zh: '每个网关进程同时允许的上限。0 表示不提供 WebSocket，客户端会改用 HTTP。',
      },
    }),
    'responses_socket_setting.idle_seconds': integer(900, {
      min: 10,
      max: 3600,
      label: { en: 'Idle seconds of a connection', zh: '空闲时间（秒）' },
      help: {
        en: 'A connection without a call for this long is closed. Agents open another one when they need it; every connection ends after 60 minutes.',
        zh: '连接在此时间内没有调用即被关闭，智能体需要时会重新连接。任何连接最长 60 分钟。',
      },
    }),
  },
})
