import type { TaskRow } from '@tollgate/contract/task'
import { Moment } from '../../shared/format/moment.tsx'
import { useMoney } from '../../shared/format/use-money.ts'
import type { Column } from '../../shared/table/column.ts'
import { actionText, reasonText } from '../../shared/tasks/task-words.ts'
import { columnsFor, type LogColumn, placeColumns, textColumn } from './admin-columns.tsx'
import { SpentCell, StateCell, TextCell } from './cells.tsx'
import { ClipsCell } from './clips-dialog.tsx'
import { type Clip, clipsOf } from './clips.ts'
import { taskLogMessages } from './i18n.ts'
import type { ShownText } from './text-dialog.tsx'

const MS = 1000

export interface ShownClips {
  readonly id: string
  readonly clips: readonly Clip[]
}

interface TaskColumnsInput {
  readonly isAdmin: boolean
  readonly onShow: (shown: ShownText) => void
  readonly onPlay: (shown: ShownClips) => void
}

/** The columns for channel and user are shown only to admins. */
export function useTaskColumns({ isAdmin, onShow, onPlay }: TaskColumnsInput): readonly Column<TaskRow>[] {
  const t = taskLogMessages.use()
  const { exact } = useMoney()
  const columns: readonly LogColumn<TaskRow>[] = [
    {
      key: 'submitted',
      title: t('column.submitted'),
      phone: 'detail',
      render: (row) => <Moment seconds={row.submit_time} />,
    },
    {
      key: 'finished',
      title: t('column.finished'),
      phone: 'more',
      render: (row) => <Moment seconds={row.finish_time} />,
    },
    {
      key: 'spent',
      title: t('column.spent'),
      phone: 'detail',
      render: ({ submit_time: submit, finish_time: finish }) => (
        <SpentCell submitMs={submit * MS} finishMs={finish * MS} />
      ),
    },
    ...placeColumns<TaskRow>(t),
    { key: 'platform', title: t('column.platform'), phone: 'more', render: ({ platform }) => platform },
    { key: 'action', title: t('word.action'), phone: 'title', render: ({ action }) => actionText(action) },
    {
      key: 'id',
      title: t('word.taskId'),
      phone: 'more',
      render: (row) => (
        <TextCell
          isId
          text={row.task_id}
          onShow={() =>
            onShow({ title: t('record.title'), text: JSON.stringify(row, undefined, 2), isCode: true })
          }
        />
      ),
    },
    {
      key: 'status',
      title: t('column.status'),
      phone: 'value',
      render: ({ status, progress }) => <StateCell status={status} progress={progress} />,
    },
    {
      key: 'result',
      title: t('word.result'),
      phone: 'detail',
      render: (row) => {
        const clips = clipsOf(row)
        return <ClipsCell clips={clips} onPlay={() => onPlay({ id: row.task_id, clips })} />
      },
    },
    {
      key: 'cost',
      title: t('word.cost'),
      isNumber: true,
      phone: 'more',
      render: ({ quota }) => quota !== 0 && exact(quota),
    },
    textColumn({
      key: 'reason',
      title: t('column.reason'),
      textOf: ({ fail_reason: reason }) => reasonText(reason),
      onShow,
    }),
  ]
  return columnsFor(columns, isAdmin)
}
