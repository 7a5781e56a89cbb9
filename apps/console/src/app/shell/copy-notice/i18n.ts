import { defineMessages } from '../../../shared/i18n/messages.ts'

export const copyNoticeMessages = defineMessages('copyNotice', {
  en: {
    title: 'This database is a copy that nobody has confirmed',
    'cause.restored': 'It was restored from a backup on {{when}}.',
    'cause.moved': 'It was moved from another database on {{when}}.',
    'cause.imported': 'It was imported on {{when}}.',
    'cause.marked': 'It was marked as a copy on {{when}}.',
    'cause.other-installation': 'Since {{when}} it runs on another installation.',
    text: 'Calls, sign-in and the audit work. Backups, log sinks, mails, webhooks, alerts and automatic disabling are off, so that a copy never acts in the place of the original.',
    askRoot: 'The super admin can confirm it.',
    confirm: 'This is the original now',
    question: 'Is this database the original from now on?',
    consequence:
      'Backups, log sinks, mails, webhooks, alerts and automatic disabling begin, and messages that have been waiting are sent. The database that it was copied from must no longer be in use.',
  },
  zh: {
    title: '该数据库是未经确认的副本',
    'cause.restored': '它于 {{when}} 从备份恢复。',
    'cause.moved': '它于 {{when}} 从另一个数据库迁移而来。',
    'cause.imported': '它于 {{when}} 导入。',
    'cause.marked': '它于 {{when}} 被标记为副本。',
    'cause.other-installation': '自 {{when}} 起，它运行在另一个安装上。',
    text: '调用、登录和账本核对可以使用。备份、日志外发、邮件、Webhook、告警和自动禁用均已停用，以免副本代替原库对外操作。',
    askRoot: '请由超级管理员确认。',
    confirm: '确认为原库',
    question: '从现在起，该数据库是否为原库？',
    consequence:
      '备份、日志外发、邮件、Webhook、告警和自动禁用将启用，等待中的消息会发出。被复制的数据库必须不再使用。',
  },
})
