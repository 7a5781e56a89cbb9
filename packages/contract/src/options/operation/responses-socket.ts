import { integer } from '../kinds.ts'
import { section } from '../section.ts'

export const responsesSocketSection = section({
  key: 'responses-socket',
  title: { en: 'WebSocket connections', zh: 'WebSocket 连接' },
  purpose: {
    en: 'Coding agents keep a connection of the Responses API for many calls; a realtime session is a connection too.',
    zh: '编程智能体通过一个 Responses 连接发送多次调用；每个实时会话也占用一个连接。',
  },
  settings: {
    'socket_setting.connections_per_user': integer(200, {
      min: 1,
      max: 10_000,
      label: { en: 'Connections per user', zh: '每个用户的连接数' },
      help: {
        en: 'Realtime sessions and Responses connections of all tokens together, on each gateway process.',
        zh: '该用户所有令牌的实时会话与 Responses 连接合计，每个网关进程分别计算。',
      },
    }),
    'socket_setting.connections_without_balance': integer(4, {
      min: 0,
      max: 10_000,
      label: { en: 'Connections without balance', zh: '无余额时的连接数' },
      help: {
        en: 'The same for a user who has no quota left; enough to try free models.',
        zh: '额度用尽的用户可同时打开的连接数，足以试用免费模型。',
      },
    }),
    'responses_socket_setting.connections_per_token': integer(100, {
      min: 0,
      max: 10_000,
      label: { en: 'Responses connections per token', zh: '每个令牌的 Responses 连接数' },
      help: {
        en: 'At most this many at a time, on each gateway process. With 0 there are none, and clients use HTTP instead.',
        zh: '每个网关进程同时允许的上限。0 表示不提供 WebSocket，客户端会改用 HTTP。',
      },
    }),
    'responses_socket_setting.idle_seconds': integer(900, {
      min: 10,
      max: 3600,
      label: { en: 'Idle seconds of a Responses connection', zh: 'Responses 连接空闲时间（秒）' },
      help: {
        en: 'A connection without a call for this long is closed. Agents open another one when they need it; every connection ends after 60 minutes.',
        zh: '连接在此时间内没有调用即被关闭，智能体需要时会重新连接。任何连接最长 60 分钟。',
      },
    }),
  },
})
