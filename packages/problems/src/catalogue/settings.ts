import { callerFault, upstreamFault } from '../definition.ts'

/** Problems of site settings, their history and the check for updates. */
export const settingProblems = {
  option_change_unknown: callerFault(404, { en: 'There is no such change', zh: '设置变更记录不存在' }),
  option_change_hidden: callerFault(400, {
    en: '{key} cannot be reverted: its earlier value is not stored',
    zh: '{key} 无法还原：历史中不保存其原值',
  }),
  option_as_before: callerFault(409, { en: '{key} already has that value', zh: '{key} 当前已是该值' }),
  option_unknown: callerFault(400, { en: 'There is no setting {key}', zh: '不存在的设置项 {key}' }),
  option_refused: callerFault(400, {
    en: '{key} accepts {allowed}{where}',
    zh: '{key} 只接受{allowed}{where}',
  }),
  option_needs: callerFault(400, {
    en: 'Fill in {needed} before switching {key} on',
    zh: '启用 {key} 前请先填写 {needed}',
  }),
  option_needed: callerFault(400, {
    en: 'Switch {needing} off before emptying {key}',
    zh: '清空 {key} 前请先关闭 {needing}',
  }),
  option_entry_doubled: callerFault(400, {
    en: '{key} has {entry} more than once',
    zh: '{key} 中的 {entry} 重复',
  }),
  option_picture_blocked: callerFault(400, {
    en: '{key}: pages do not load pictures over http://. Use an https:// address or a path on this site',
    zh: '{key}：页面不会加载 http:// 图片，请使用 https:// 地址或站内路径',
  }),
  option_not_supported: callerFault(400, {
    en: 'This version does not support {key} yet',
    zh: '当前版本暂不支持 {key}',
  }),
  option_locks_out: callerFault(400, {
    en: 'Nobody could sign in any more: enable another sign-in method first',
    zh: '关闭后将无法登录，请先启用其他登录方式',
  }),
  option_version_changed: callerFault(409, {
    en: '{key}: somebody else has changed it; reload it before saving',
    zh: '{key} 已被其他管理员修改，请刷新后再保存',
  }),
  alert_receiver_unknown: callerFault(404, { en: 'There is no such receiver', zh: '接收方不存在' }),
  alert_receiver_field: callerFault(400, {
    en: '{field}: missing, or not in the right form',
    zh: '{field}：未填写或格式不正确',
  }),
  alert_receiver_secrets_again: callerFault(400, {
    en: 'The stored secret would be sent to another address: enter it again, or remove it',
    zh: '已保存的密钥将发送到新的地址，请重新输入或移除',
  }),
  alert_receivers_full: callerFault(400, {
    en: 'There are {most} receivers already; remove one first',
    zh: '已有 {most} 个接收方，请先移除一个',
  }),
  update_check_unset: callerFault(400, {
    en: 'No release URL is set: set the environment variable RELEASES_URL',
    zh: '未设置发布页地址，请通过环境变量 RELEASES_URL 指定',
  }),
  update_check_failed: upstreamFault(502, {
    en: 'The check for updates has failed; try again later',
    zh: '检查更新失败，请稍后再试',
  }),
}
