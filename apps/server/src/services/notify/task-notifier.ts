import { taskReasonText } from '@tollgate/contract/task-words'
import type { Language } from '@tollgate/problems/problem'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import { findUser } from '@tollgate/store/accounts/users'
import { readSetting } from '../account/setting-text.ts'
import type { Options } from '../services.ts'
import type { TaskOutcome, TaskNotifier } from '../../tasks/notifier.ts'
import { type UserNotice, type NotifyPorts, workOf } from './notify-user.ts'

export type TaskNotifierParts = NotifyPorts & { readonly options: Options }

/**
 * Notifies owners who enabled task notifications that a task has ended: once per task, whichever process saw
 * the end.
 */
export function openTaskNotifier(parts: TaskNotifierParts): TaskNotifier {
  return {
    noticeOf: (task, outcome) => noticeOf(parts, task, outcome),
    ended: () => parts.outbox.wake(),
  }
}

async function noticeOf(
  parts: TaskNotifierParts,
  task: TaskRow,
  outcome: TaskOutcome,
): Promise<NewWork | undefined> {
  const user = await findUser(parts.store, task.user_id)
  if (!user || !readSetting(user.setting).notify_tasks) return undefined
  const work = await workOf(parts, {
    userId: task.user_id,
    cause: `task:${task.id}`,
    message: (language) => taskMessage(parts.options, { task, outcome, language }),
  })
  return work && parts.outbox.sealed(work)
}

interface TaskMessageInput {
  readonly task: TaskRow
  readonly outcome: TaskOutcome
  readonly language: Language
}

function taskMessage(options: Options, { task, outcome, language }: TaskMessageInput): UserNotice {
  const address = options.get('ServerAddress')
  const page = task.platform === 'mj' ? 'midjourney' : 'task'
  const words = WORDS[language][outcome]
  const reason = taskReasonText(task.fail_reason, language)
  const values = [task.task_id, ...(outcome === 'FAILURE' ? [reason] : [])]
  return {
    type: outcome === 'SUCCESS' ? 'task_succeeded' : 'task_failed',
    title: words.title,
    content: words.content,
    values,
    link: address === '' ? '' : `${address}/${page}`,
  }
}

const WORDS = {
  zh: {
    SUCCESS: { title: '任务已完成', content: '任务 {{value}} 已完成。' },
    FAILURE: { title: '任务失败', content: '任务 {{value}} 失败：{{value}}。已扣除的额度已退还。' },
  },
  en: {
    SUCCESS: { title: 'Your task is done', content: 'Task {{value}} is done.' },
    FAILURE: {
      title: 'Your task failed',
      content: 'Task {{value}} failed: {{value}}. What was charged for it has been given back.',
    },
  },
} as const satisfies Record<Language, Record<TaskOutcome, { title: string; content: string }>>
