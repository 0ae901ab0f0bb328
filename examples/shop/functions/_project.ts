// What `plinth types --functions` writes for this shop, by the schemas in `plinth/collections`.
import type { Id, UserId } from '@plinth/client';

export interface Project {
  collections: {
    products: { title: string; price: number; stock: number };
    orders: {
      buyer_id: UserId;
      product_id: Id<'products'>;
      title: string;
      quantity: number;
      total: number;
      status: 'open' | 'paid' | 'cancelled';
      payment?: string;
    };
    reports: { day: string; orders: number; turnover: number; cancelled: number };
  };
}

declare module '@plinth/runtime' {
  interface Register {
    project: Project;
  }
}
