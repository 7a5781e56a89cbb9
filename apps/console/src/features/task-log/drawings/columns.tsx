import type { DrawingRow } from '@tollgate/contract/task'
import { Moment } from '../../../shared/format/moment.tsx'
import { useMoney } from '../../../shared/format/use-money.ts'
import { Status } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import { actionText, reasonText } from '../../../shared/tasks/task-words.ts'
import { columnsFor, type LogColumn, placeColumns, textColumn } from '../admin-columns.tsx'
import { SpentCell, StateCell, TextCell } from '../cells.tsx'
import { taskLogMessages } from '../i18n.ts'
import { wordOfResult } from '../states.ts'
import styles from '../task-log.module.css'
import type { ShownText } from '../text-dialog.tsx'
import { resultSource } from '../result-address.ts'
import type { ShownImage } from './image-dialog.tsx'

interface DrawingColumnsInput {
  readonly isAdmin: boolean
  readonly onShow: (shown: ShownText) => void
  readonly onImage: (image: ShownImage) => void
}

const MS = 1000

/** The columns for the channel, its response to the submission, and the user are shown only to admins. */
export function useDrawingColumns(input: DrawingColumnsInput): readonly Column<DrawingRow>[] {
  const { isAdmin, onShow, onImage } = input
  const t = taskLogMessages.use()
  const { exact } = useMoney()
  const columns: readonly LogColumn<DrawingRow>[] = [
    {
      key: 'submitted',
      title: t('column.submitted'),
      phone: 'detail',
      render: (row) => <Moment seconds={Math.floor(row.submit_time / MS)} />,
    },
    {
      key: 'spent',
      title: t('column.spent'),
      phone: 'detail',
      render: (row) => <SpentCell submitMs={row.submit_time} finishMs={row.finish_time} />,
    },
    ...placeColumns<DrawingRow>(t),
    { key: 'action', title: t('word.action'), phone: 'title', render: ({ action }) => actionText(action) },
    {
      key: 'id',
      title: t('word.taskId'),
      phone: 'more',
      render: ({ mj_id: text }) => (
        <TextCell isId text={text} onShow={() => onShow({ title: t('word.taskId'), text })} />
      ),
    },
    {
      key: 'result',
      title: t('column.result'),
      isForAdmins: true,
      phone: 'more',
      render: ({ code }) => <ResultCell code={code} />,
    },
    {
      key: 'status',
      title: t('column.status'),
      phone: 'value',
      render: ({ status, progress }) => <StateCell status={status} progress={progress} />,
    },
    {
      key: 'image',
      title: t('column.image'),
      phone: 'detail',
      render: (row) => <ImageCell row={row} onImage={onImage} />,
    },
    {
      key: 'cost',
      title: t('word.cost'),
      isNumber: true,
      phone: 'more',
      render: ({ quota }) => quota !== 0 && exact(quota),
    },
    textColumn({ key: 'prompt', title: t('column.prompt'), textOf: ({ prompt }) => prompt, onShow }),
    textColumn({
      key: 'promptEn',
      title: t('column.promptEn'),
      textOf: ({ prompt_en: text }) => text,
      onShow,
      isHiddenAtFirst: true,
    }),
    textColumn({
      key: 'reason',
      title: t('column.reason'),
      textOf: ({ fail_reason: reason }) => reasonText(reason),
      onShow,
    }),
  ]
  return columnsFor(columns, isAdmin)
}

function ResultCell({ code }: { readonly code: number }) {
  const t = taskLogMessages.use()
  const [word, tone] = wordOfResult(code)
  return <Status tone={tone} label={t(word)} />
}

interface ImageCellProps {
  readonly row: DrawingRow
  readonly onImage: (image: ShownImage) => void
}

function ImageCell({ row, onImage }: ImageCellProps) {
  const t = taskLogMessages.use()
  const source = resultSource(row.image_url)
  if (source === '') return null
  return (
    <button
      type="button"
      className={styles.open}
      onClick={(event) => {
        event.stopPropagation()
        onImage({ source, prompt: row.prompt, id: row.mj_id })
      }}
    >
      {t('image.show')}
    </button>
  )
}
