import { callerFault } from '../definition.ts'

/** Problems of the Responses API over WebSocket. Codes that OpenAI has too are those by which its clients recover. */
export const responsesSocketProblems = {
  websocket_connection_limit_reached: callerFault(400, {
    en: 'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
    zh: 'Responses WebSocket 连接已达 60 分钟上限，请建立新的连接后继续',
  }),
  previous_response_not_found: callerFault(400, {
    en: "Previous response with id '{id}' not found.",
    zh: '找不到 ID 为 {id} 的上一个响应',
  }),
  invalid_stream_id: callerFault(400, {
    en: "'stream_id' must have 1 to 256 characters: letters, digits, underscores, hyphens and periods",
    zh: 'stream_id 须为 1 到 256 个字母、数字、下划线、连字符或句点',
  }),
  websocket_stream_limit_reached: callerFault(400, {
    en: 'This connection has reached its {max} different stream ids; reuse one or open another connection',
    zh: '此连接已使用 {max} 个不同的 stream_id，请复用已有的或建立新的连接',
  }),
  websocket_event_invalid: callerFault(400, {
    en: 'Invalid event: send a JSON object with the type response.create in a text frame',
    zh: '无效的事件：请以文本帧发送 type 为 response.create 的 JSON 对象',
  }),
  websocket_response_running: callerFault(409, {
    en: 'A response is still running on this stream; wait until it ends, or use another stream_id',
    zh: '此流上的响应尚未结束，请等待其结束或使用其他 stream_id',
  }),
  websocket_responses_reached: callerFault(429, {
    en: 'This connection has {max} responses running; wait until one ends',
    zh: '此连接已有 {max} 个响应正在进行，请等待其中一个结束',
  }),
  sockets_of_user_reached: callerFault(429, {
    en: 'You have {max} WebSocket connections open; close one first',
    zh: '您已打开 {max} 个 WebSocket 连接，请先关闭一个',
  }),
  sockets_without_balance_reached: callerFault(429, {
    en: 'Without quota at most {max} WebSocket connections can be open; close one or top up',
    zh: '额度不足时最多打开 {max} 个 WebSocket 连接，请关闭一个或充值',
  }),
  frame_too_slow: callerFault(408, {
    en: 'A message took too long to arrive',
    zh: '消息未在规定时间内发送完整',
  }),
  websocket_connections_reached: callerFault(429, {
    en: 'This token has {max} WebSocket connections open; close one first',
    zh: '此令牌已打开 {max} 个 WebSocket 连接，请先关闭一个',
  }),
}
