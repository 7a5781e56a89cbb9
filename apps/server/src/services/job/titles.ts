interface Title {
  readonly en: string
  readonly zh: string
}

const titles: Readonly<Record<string, Title>> = {
  audit: { en: 'Audit of the books', zh: '账本核对' },
  'close-orders': { en: 'Close orders nobody paid', zh: '关闭未支付的订单' },
  'poll-tasks': { en: 'Look after drawings and songs', zh: '查询绘图与音乐任务' },
  'prune-sign-ins': { en: 'Clear ended sign-ins', zh: '清理过期登录' },
  'move-logs': { en: 'Move the usage log to its database', zh: '转移使用日志' },
  'renew-keys': { en: 'Renew keys that end', zh: '刷新即将到期的密钥' },
  'roll-up-usage': { en: 'Sum usage by the hour', zh: '按小时汇总用量' },
  'keep-logs': { en: 'Remove old rows of the usage log', zh: '清理旧的使用日志' },
  'read-again': { en: 'Read snapshots again', zh: '重新读取快照' },
  'prune-correspondence': { en: 'Clear sent messages', zh: '清理已发送的消息' },
  'watch-balances': { en: 'Watch for low balances', zh: '余额不足检查' },
  'test-channels': { en: 'Test all channels', zh: '测试所有渠道' },
  'update-balances': { en: 'Update channel balances', zh: '更新渠道余额' },
  'note-traffic': { en: 'Note channel traffic', zh: '记录渠道流量' },
  'prune-traffic': { en: 'Clear old channel traffic', zh: '清理旧的渠道流量' },
}

/** A job's title in the console; a job without a title shows its name. */
export function titleOf(name: string): Title {
  return titles[name] ?? { en: name, zh: name }
}
