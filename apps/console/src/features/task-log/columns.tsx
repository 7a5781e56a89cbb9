import type { TaskRow } from '@tollgate/contract/task'
import type { Column } from '../../shared/table/column.ts'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { columnsFor, type LogColumn, placeColumns, useCommonColumns } from './admin-columns.tsx'
import { SpentCell, TextCell } from './cells.tsx'
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
  const common = useCommonColumns<TaskRow>(onShow)
  const columns: readonly LogColumn<TaskRow>[] = [
    momentColumn({
      key: 'submitted',
      title: t('column.submitted'),
      phone: 'detail',
      seconds: (row) => row.submit_time,
    }),
    momentColumn({
      key: 'finished',
      title: t('column.finished'),
      phone: 'more',
      seconds: (row) => row.finish_time,
    }),
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
    common.action,
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
    common.status,
    {
      key: 'result',
      title: t('word.result'),
      phone: 'detail',
      render: (row) => {
        const clips = clipsOf(row)
        return <ClipsCell clips={clips} onPlay={() => onPlay({ id: row.task_id, clips })} />
      },
    },
    common.cost,
    common.reason,
  ]
  return columnsFor(columns, isAdmin)
}
