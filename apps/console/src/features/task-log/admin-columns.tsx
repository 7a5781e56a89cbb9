import type { TaskRow } from '@tollgate/contract/task'
import { useMoney } from '../../shared/format/use-money.ts'
import type { Column } from '../../shared/table/column.ts'
import { actionText, reasonText } from '../../shared/tasks/task-words.ts'
import { ChannelCell, StateCell, TextCell } from './cells.tsx'
import { taskLogMessages } from './i18n.ts'
import type { ShownText } from './text-dialog.tsx'

export type LogColumn<Row> = Column<Row> & { readonly isForAdmins?: boolean }

/** The columns for channel and user, shared by all task logs. */
export function placeColumns<Row extends Pick<TaskRow, 'channel_id' | 'channel_name' | 'username'>>(
  t: ReturnType<typeof taskLogMessages.use>,
): readonly LogColumn<Row>[] {
  return [
    {
      key: 'channel',
      title: t('word.channel'),
      isForAdmins: true,
      phone: 'more',
      render: (row) => <ChannelCell id={row.channel_id} name={row.channel_name} />,
    },
    {
      key: 'user',
      title: t('word.user'),
      isForAdmins: true,
      phone: 'detail',
      render: ({ username }) => username,
    },
  ]
}

interface TextColumnInput<Row> {
  readonly key: string
  readonly title: string
  readonly textOf: (row: Row) => string
  readonly onShow: (shown: ShownText) => void
  readonly isHiddenAtFirst?: boolean
}

/** A column for a text that may be long; a click shows all of it. */
export function textColumn<Row>(input: TextColumnInput<Row>): LogColumn<Row> {
  const { textOf, onShow, ...column } = input
  return {
    ...column,
    isFluid: true,
    phone: 'more',
    render: (row) => <TextCell text={textOf(row)} onShow={(text) => onShow({ title: input.title, text })} />,
  }
}

type CommonCells = Pick<TaskRow, 'action' | 'status' | 'progress' | 'quota' | 'fail_reason'>

/** The columns that tasks and drawings have in common. */
export function useCommonColumns<Row extends CommonCells>(onShow: (shown: ShownText) => void) {
  const t = taskLogMessages.use()
  const { exact } = useMoney()
  return {
    action: {
      key: 'action',
      title: t('word.action'),
      phone: 'title',
      render: ({ action }) => actionText(action),
    },
    status: {
      key: 'status',
      title: t('column.status'),
      phone: 'value',
      render: ({ status, progress }) => <StateCell status={status} progress={progress} />,
    },
    cost: {
      key: 'cost',
      title: t('word.cost'),
      isNumber: true,
      phone: 'more',
      render: ({ quota }) => quota !== 0 && exact(quota),
    },
    reason: textColumn({
      key: 'reason',
      title: t('column.reason'),
      textOf: ({ fail_reason: reason }) => reasonText(reason),
      onShow,
    }),
  } satisfies Readonly<Record<string, LogColumn<Row>>>
}

export function columnsFor<Row>(
  columns: readonly LogColumn<Row>[],
  isAdmin: boolean,
): readonly Column<Row>[] {
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}
