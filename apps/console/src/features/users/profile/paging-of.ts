import type { Paging } from '../../../shared/table/paging.ts'

interface DrawerPage {
  readonly page: number
  readonly pageSize: number
  readonly setPage: (page: number) => void
}

/** Paging of a list inside the drawer; the page number is not stored in the address. */
export function pagingOf({ page, pageSize, setPage }: DrawerPage): Paging {
  return { page, pageSize, onPage: setPage }
}
