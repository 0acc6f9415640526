import { Body, Controller, Get, Module, Param, Post, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { Allowed, guard } from 'writ/nestjs';
import { type Order, orderOf, orders, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

const mayCreate = guard(
  policy.allow,
  (request: Request) => ({ user: userOf(request.get('x-user')), action: 'create', order: request.body as Order }),
  { reasons: policy.deny },
);

@Controller('orders')
class OrdersController {
  @Get(':id')
  @Allowed(
    policy.allow,
    (request: Request<{ id: string }>) => ({
      user: userOf(request.get('x-user')),
      action: 'read',
      order: orderOf(request.params.id),
    }),
    { reasons: policy.deny },
  )
  read(@Param('id') id: string): Order {
    return orderOf(id);
  }

  @Post()
  @UseGuards(mayCreate)
  create(@Body() order: Order): Order {
    orders.set(order.id, order);
    return order;
  }
}

@Module({ controllers: [OrdersController] })
export class AppModule {}
