#!/bin/sh
! grep -q lion herd.txt
